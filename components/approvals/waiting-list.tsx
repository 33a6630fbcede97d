import { ChevronRight } from "lucide-react";
import { AskerName } from "@/components/approvals/asker-name";
import { InboxKeys } from "@/components/approvals/inbox-keys";
import { endsOf, kindWords } from "@/components/approvals/subject-words";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/flow";
import { formatTimeLeft, percentLeft } from "@/components/time/format-time-left";
import { Gauge } from "@/components/ui/gauge";
import { Link } from "@/components/ui/link";
import type { WaitingProposalView } from "@/lib/contract/views/inbox-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const LIST_ID = "waiting";

/** What waits, in the order given: soonest to close first. Opened one by one; there is no approving together. */
export function WaitingList({ waiting, time }: { waiting: WaitingProposalView[]; time: TimeContext }) {
  return (
    <>
      <ul className="props" id={LIST_ID} aria-label="Waiting">
        {waiting.map((proposal) => (
          <li key={proposal.id}>
            <WaitingRow proposal={proposal} time={time} />
          </li>
        ))}
      </ul>
      <InboxKeys listId={LIST_ID} />
    </>
  );
}

function WaitingRow({ proposal, time }: { proposal: WaitingProposalView; time: TimeContext }) {
  const now = Date.parse(time.nowAt);
  const leftMs = Date.parse(proposal.expiresAt) - now;
  const wholeMs = Date.parse(proposal.expiresAt) - Date.parse(proposal.createdAt);
  return (
    <Link className="prop" href={proposal.href}>
      <div className="tleft">
        <span>{formatTimeLeft(leftMs)} left</span>
        <Gauge percent={percentLeft(leftMs, wholeMs)} tone="waiting" />
      </div>
      <div className="prop-m">
        <p className="prop-t">
          <Flow {...endsOf(proposal.subject)} state="closed" />
          <span className="tag">{kindWords(proposal.subject)}</span>
        </p>
        <p className="prop-w">
          <AskerName kind={proposal.askerKind} name={proposal.askerName} />{" "}
          <span>{proposal.reason ? `“${proposal.reason}”` : "gave no reason"}</span>
        </p>
      </div>
      <div className="prop-a">
        {proposal.subject.amountInCents === null ? (
          <span className="dim">Cannot run now</span>
        ) : (
          <Amount cents={proposal.subject.amountInCents} size="xl" />
        )}
      </div>
      <span className="btn btn-s hide-s" aria-hidden="true">
        Review
        <ChevronRight className="ic" />
      </span>
    </Link>
  );
}
