import { formatWeekdayMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Initials } from "@/components/ui/initials";
import { ROLE_WORD } from "@/lib/contract/members";
import type { ApprovalView } from "@/lib/contract/views/approval-view";

/** For a reader who may not decide: who may. */
export function ViewerPanel({ view }: { view: ApprovalView }) {
  const { deciders, viewer, expiresAt, time } = view;
  return (
    <section className="panel" aria-labelledby="viewer">
      <h2 className="h3" id="viewer">
        You can read this, not decide it
      </h2>
      <p className="ink2">
        Your role is {ROLE_WORD[viewer.role].toLowerCase()}. {whoDecides(deciders.length)}
      </p>
      <ul className="ppl">
        {deciders.map(({ id, name, role }) => (
          <li key={id}>
            <Initials name={name} />
            <span>
              <b>{name}</b>
              <span className="meta blk">{ROLE_WORD[role]}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="meta">
        Closes <Moment at={expiresAt} time={time} format={formatWeekdayMoment} />.
      </p>
    </section>
  );
}

function whoDecides(count: number): string {
  if (count === 1) return "Only this person decides about money.";
  return count === 2 ? "Only these two decide about money." : `Only these ${count} decide about money.`;
}
