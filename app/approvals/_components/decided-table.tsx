"use client";

import type { ReactNode } from "react";
import { Amount } from "@/components/money/amount";
import { type ListSum, SumRows } from "@/components/money/sum-rows";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { endsOf, kindWords, RequesterName } from "@/components/parts/approvals/proposal-words";
import { Flow, sluiceState } from "@/components/sluice/row-sluice";
import { Ledger, linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { SUBLINE } from "@/components/ui/text-styles";
import type { DecidedProposalView } from "@/lib/views/approvals/list-proposals";

const WIDE_ONLY = "max-sm:not-print:hidden!";

/** The server formats the moment: its words and the browser's differ in places. */
type DecidedRowView = DecidedProposalView & { when: ReactNode };

/**
 * Decided proposals, newest first. On phones, date and outcome are below the movement. Drawn in the browser's part: as
 * server components, each element of each row would be sent twice.
 */
export function DecidedTable({ rows, sums }: { rows: DecidedRowView[]; sums: readonly ListSum[] }) {
  return (
    <Ledger className="mt-3">
      <caption className="sr-only">Decided proposals</caption>
      <thead>
        <tr>
          <th scope="col" className={WIDE_ONLY}>
            Decided
          </th>
          <th scope="col">What</th>
          <th scope="col" className={`${WIDE_ONLY} sm:max-lg:hidden`}>
            Asked by
          </th>
          <th scope="col" className={WIDE_ONLY}>
            Decision
          </th>
          <th scope="col" className={WIDE_ONLY}>
            Outcome
          </th>
          <th scope="col" className="number">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <DecidedRow key={row.id} row={row} />
        ))}
      </tbody>
      <SumRows
        sums={sums}
        before={<td className={WIDE_ONLY} />}
        after={
          <>
            <td className={`${WIDE_ONLY} sm:max-lg:hidden`} />
            <td className={WIDE_ONLY} />
            <td className={WIDE_ONLY} />
          </>
        }
      />
    </Ledger>
  );
}

function DecidedRow({ row }: { row: DecidedRowView }) {
  const status = (
    <ApprovalStatusChip
      status={row.status}
      canDecide={false}
      isAssistant={row.requesterKind === "ASSISTANT"}
    />
  );
  return (
    <tr className={linkRowClass()}>
      <td className="text-ink-2 max-sm:not-print:hidden! max-sm:whitespace-nowrap lg:whitespace-nowrap">
        {row.when}
      </td>
      <td>
        <Link href={row.href}>
          <Flow {...endsOf(row.subject)} state={sluiceState(row.status)} layout="column" />
        </Link>
        <span className={`${SUBLINE} sm:hidden! print:hidden!`}>{row.when}</span>
        <span className="sm:hidden! print:hidden!">{status}</span>
      </td>
      <td className={`${WIDE_ONLY} sm:max-lg:hidden`}>
        <RequesterName kind={row.requesterKind} name={row.requesterName} />
        <span className={SUBLINE}>{kindWords(row.subject)}</span>
      </td>
      <td className={WIDE_ONLY}>
        {decisionWords(row)}
        {row.decision?.note ? <span className={SUBLINE}>“{row.decision.note}”</span> : null}
      </td>
      <td className={WIDE_ONLY}>{status}</td>
      <td className="number">
        {row.subject.amountInCents === null ? (
          <span className="text-ink-3">–</span>
        ) : (
          <Amount cents={row.subject.amountInCents} />
        )}
      </td>
    </tr>
  );
}

function decisionWords({ decision, status, requesterKind }: DecidedProposalView): string {
  if (status === "REVOKED") {
    return requesterKind === "ASSISTANT" ? "Assistant disconnected" : "Key revoked";
  }
  if (status === "WITHDRAWN") return "Withdrawn by its requester";
  if (!decision) return "No decision";
  const verb = decision.kind === "APPROVED" ? "Approved" : "Denied";
  return `${verb} by ${decision.byViewer ? "you" : decision.byName}`;
}
