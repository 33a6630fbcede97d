import { RequesterName } from "@/components/parts/approvals/proposal-words";
import { Note } from "@/components/ui/note";
import { LINK } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import type { EndingRunsView, WaitingRunView } from "@/lib/views/rules/list-ending-runs";

/** In a dialog: the waiting runs that the act ends. Nothing if there are none. */
export function EndingRuns({ count, listed }: EndingRunsView) {
  if (count === 0) return null;
  const moreCount = count - listed.length;
  return (
    <Note>
      <p>
        {count === 1
          ? "1 waiting run ends and counts as denied:"
          : `${count} waiting runs end and count as denied:`}
      </p>
      <ul className="mt-2 grid list-none gap-1">
        {listed.map((run) => (
          <li key={run.id}>
            <a className={LINK} href={run.href}>
              {amountWords(run)}
            </a>
            , version {run.version}, requested by{" "}
            <RequesterName kind={run.requesterKind} name={run.requesterName} />
          </li>
        ))}
        {moreCount > 0 ? <li>{moreCount === 1 ? "1 more" : `${moreCount} more`}</li> : null}
      </ul>
    </Note>
  );
}

function amountWords({ amountInCents }: WaitingRunView): string {
  return amountInCents === null
    ? "A run that can’t move money now"
    : `A run of ${formatCents(amountInCents)}`;
}
