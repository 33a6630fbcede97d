import { ArrowRight } from "lucide-react";
import { AskerName } from "@/components/approvals/asker-name";
import { endsOf } from "@/components/approvals/subject-words";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/flow";
import { formatTimeLeft } from "@/components/time/format-time-left";
import { buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import type { OverviewView, WaitingView } from "@/lib/contract/views/overview-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** The proposals that close soonest. */
export function WaitingForYou({ view }: { view: OverviewView }) {
  const { waiting, waitingCount, viewer, time } = view;
  const [next] = waiting;
  return (
    <section aria-labelledby="waiting">
      <div className="sec-h">
        <h2 className="h2" id="waiting">
          {viewer.canDecide ? "Waiting for you" : "Waiting for approval"}
        </h2>
        <Link className="link" href="/approvals">
          {waitingCount > waiting.length ? `All ${waitingCount} approvals` : "All approvals"}
        </Link>
      </div>
      {next ? (
        <>
          <ul className="mini">
            {waiting.map((proposal) => (
              <WaitingRow key={proposal.id} proposal={proposal} time={time} />
            ))}
          </ul>
          <a
            className={`${buttonClass({ kind: viewer.canDecide ? "primary" : "outlined", wide: true })} ov-b`}
            href={next.href}
          >
            {viewer.canDecide ? "Review the next one" : "Look at the next one"}
            <ArrowRight className="ic" aria-hidden="true" />
          </a>
        </>
      ) : (
        <Empty title={viewer.canDecide ? "Nothing waits for you" : "Nothing waits"}>
          What programs, assistants and rules may not do alone shows up here before any money moves.
        </Empty>
      )}
    </section>
  );
}

function WaitingRow({ proposal, time }: { proposal: WaitingView; time: TimeContext }) {
  const leftMs = Date.parse(proposal.expiresAt) - Date.parse(time.nowAt);
  return (
    <li>
      {/* Plain: this address is two pages (next.config.mjs), between which the browser itself goes. */}
      <a href={proposal.href}>
        <span className="mini-t">
          <Flow {...endsOf(proposal.subject)} state="closed" />
        </span>
        <span className="mini-a">
          {proposal.subject.amountInCents === null ? (
            <span className="dim">Cannot run now</span>
          ) : (
            <Amount cents={proposal.subject.amountInCents} />
          )}
        </span>
        <span className="meta">
          <AskerName kind={proposal.askerKind} name={proposal.askerName} />
        </span>
        <span className="mini-l">{formatTimeLeft(leftMs)} left</span>
      </a>
    </li>
  );
}
