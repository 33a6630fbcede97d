"use client";

import type { ReactNode } from "react";
import { LinkedTable } from "@/components/layout/linked-table";
import type { ListSum } from "@/components/layout/table";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { endsOf, kindWords, RequesterName } from "@/components/parts/approvals/proposal-words";
import { Flow, sluiceState } from "@/components/sluice/row-sluice";
import { SUBLINE } from "@/components/ui/text-styles";
import type { DecidedProposalView } from "@/lib/views/approvals/list-proposals";

/** The server formats the moment: its words and the browser's differ in places. */
type DecidedRowView = DecidedProposalView & { when: ReactNode };

/**
 * Decided proposals, newest first. Drawn in the browser's part: as server components, each element of each row would be
 * sent twice.
 */
export function DecidedTable({ rows, sums }: { rows: DecidedRowView[]; sums: readonly ListSum[] }) {
  return (
    <LinkedTable
      className="mt-3"
      caption="Decided proposals"
      rows={rows}
      sums={sums}
      link={({ href }) => href}
      columns={[
        {
          head: "Decided",
          kind: "MOMENT",
          phone: "BELOW",
          className: "text-ink-2",
          cell: ({ when }) => when,
        },
        {
          head: "What",
          cell: ({ subject, status }) => (
            <Flow {...endsOf(subject)} state={sluiceState(status)} layout="column" />
          ),
        },
        {
          head: "Asked by",
          phone: "HIDDEN",
          tablet: "HIDDEN",
          cell: ({ requesterKind, requesterName, subject }) => (
            <>
              <RequesterName kind={requesterKind} name={requesterName} />
              <span className={SUBLINE}>{kindWords(subject)}</span>
            </>
          ),
        },
        {
          head: "Decision",
          phone: "HIDDEN",
          cell: (row) => (
            <>
              {decisionWords(row)}
              {row.decision?.note ? <span className={SUBLINE}>“{row.decision.note}”</span> : null}
            </>
          ),
        },
        {
          head: "Outcome",
          phone: "BELOW",
          belowClass: "",
          cell: ({ status, requesterKind }) => (
            <ApprovalStatusChip
              status={status}
              canDecide={false}
              isAssistant={requesterKind === "ASSISTANT"}
            />
          ),
        },
        {
          head: "Amount",
          kind: "MONEY",
          cell: ({ subject }) => subject.amountInCents ?? <span className="text-ink-3">–</span>,
        },
      ]}
    />
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
