import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { endsOf } from "@/components/approvals/subject-words";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/flow";
import { sluiceState } from "@/components/sluice/sluice-state";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { KeyView } from "@/lib/contract/views/keys-view";

/** What a key has asked for, and what became of it. */
export function KeyProposals({ view }: { view: KeyView }) {
  const { key, proposals, waitingCount, viewer, time } = view;
  if (proposals.length === 0) return null;
  return (
    <Section id="proposals" title="Its proposals" fact={factWords(key, waitingCount)}>
      <table className="ledger tight">
        <caption className="vh">Its latest proposals</caption>
        <tbody>
          {proposals.map((proposal) => {
            const status = <ApprovalStatusChip status={proposal.status} canDecide={viewer.canDecide} />;
            return (
              <tr key={proposal.id} className="is-link">
                <td className="dim nowrap hide-s">
                  <Moment at={proposal.at} time={time} />
                </td>
                <td>
                  <Link href={proposal.href}>
                    <Flow {...endsOf(proposal.subject)} state={sluiceState(proposal.status)} />
                  </Link>
                  <span className="only-s">{status}</span>
                </td>
                <td className="hide-s">{status}</td>
                <td className="num">
                  {proposal.subject.amountInCents === null ? (
                    <span className="dim">–</span>
                  ) : (
                    <Amount cents={proposal.subject.amountInCents} />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}

function factWords({ approvedCount, decidedCount }: KeyView["key"], waitingCount: number): string {
  const decided = decidedCount === 0 ? "None decided yet" : `${approvedCount} of ${decidedCount} approved`;
  if (waitingCount === 0) return decided;
  return `${decided}, ${waitingCount} ${waitingCount === 1 ? "waits" : "wait"}`;
}
