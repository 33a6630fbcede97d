import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { AskerName } from "@/components/approvals/asker-name";
import { endsOf, kindWords } from "@/components/approvals/subject-words";
import { Amount } from "@/components/money/amount";
import { Flow } from "@/components/sluice/flow";
import { sluiceState } from "@/components/sluice/sluice-state";
import { Moment } from "@/components/time/moment";
import { Link } from "@/components/ui/link";
import type { DecidedProposalView } from "@/lib/contract/views/inbox-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** Proposals that no longer wait, newest first. On phones date and outcome stand under the movement. */
export function DecidedTable({ rows, time }: { rows: DecidedProposalView[]; time: TimeContext }) {
  return (
    <table className="ledger">
      <caption className="vh">Decided proposals</caption>
      <thead>
        <tr>
          <th scope="col" className="hide-s">
            Decided
          </th>
          <th scope="col">What</th>
          <th scope="col" className="hide-s hide-m">
            Asked by
          </th>
          <th scope="col" className="hide-s">
            Decision
          </th>
          <th scope="col" className="hide-s">
            Outcome
          </th>
          <th scope="col" className="num">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <DecidedRow key={row.id} row={row} time={time} />
        ))}
      </tbody>
    </table>
  );
}

function DecidedRow({ row, time }: { row: DecidedProposalView; time: TimeContext }) {
  const status = (
    <ApprovalStatusChip status={row.status} canDecide={false} isAssistant={row.askerKind === "ASSISTANT"} />
  );
  return (
    <tr className="is-link">
      <td className="nowrap ink2 hide-s">
        <Moment at={row.decidedAt} time={time} />
      </td>
      <td>
        <Link href={row.href}>
          <Flow {...endsOf(row.subject)} state={sluiceState(row.status)} />
        </Link>
        <span className="meta blk only-s">
          <Moment at={row.decidedAt} time={time} />
        </span>
        <span className="only-s">{status}</span>
      </td>
      <td className="hide-s hide-m">
        <AskerName kind={row.askerKind} name={row.askerName} />
        <span className="meta blk">{kindWords(row.subject)}</span>
      </td>
      <td className="hide-s">
        {decisionWords(row)}
        {row.decision?.note ? <span className="meta blk">“{row.decision.note}”</span> : null}
      </td>
      <td className="hide-s">{status}</td>
      <td className="num">
        {row.subject.amountInCents === null ? (
          <span className="dim">–</span>
        ) : (
          <Amount cents={row.subject.amountInCents} />
        )}
      </td>
    </tr>
  );
}

function decisionWords({ decision, status, askerKind }: DecidedProposalView): string {
  if (status === "REVOKED") {
    return askerKind === "ASSISTANT" ? "Its assistant was disconnected" : "Its key was revoked";
  }
  if (!decision) return "Nobody decided";
  const verb = decision.kind === "APPROVED" ? "Approved" : "Denied";
  return `${verb} by ${decision.byViewer ? "you" : decision.byName}`;
}
