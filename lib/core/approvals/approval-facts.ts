import type { ApprovalStatus } from "@/lib/contract/views/approval-view";
import {
  PROPOSAL,
  type ProposalFacts,
  type ProposalRow,
  type SubjectStatus,
  toProposalFacts,
} from "@/lib/core/approvals/proposal-facts";
import { type RunSubject, readRunSubject } from "@/lib/core/approvals/run-subject";
import {
  completeTransferSubject,
  subjectSince,
  TRANSFER_SUBJECT,
  type TransferSubject,
  type TransferSubjectRow,
} from "@/lib/core/approvals/transfer-subject";
import type { Queryable } from "@/lib/db/transaction";

export type TransferApprovalFacts = ProposalFacts & TransferSubject;
export type RunApprovalFacts = ProposalFacts & RunSubject;

/** Everything about a proposal that its checks and its digest depend on. */
export type ApprovalFacts = TransferApprovalFacts | RunApprovalFacts;

/**
 * The facts of one proposal, or null if the organization has none with this id. The deciding transaction reads them under
 * its locks, so that what is checked is what is decided.
 * @param now business time.
 */
export async function readApprovalFacts(
  database: Queryable,
  organizationId: string,
  proposalId: string,
  now: Date,
): Promise<ApprovalFacts | null> {
  const { rows } = await database.query<ProposalRow & TransferSubjectRow>({
    name: "read_approval_facts",
    text: `select f.*, s.* from (${PROPOSAL}) f left join lateral (${TRANSFER_SUBJECT}) s on true`,
    values: [organizationId, proposalId, ...subjectSince(now)],
  });
  const row = rows[0];
  if (!row) return null;
  const proposal = toProposalFacts(row);
  return row.kind === "TRANSFER"
    ? { ...proposal, ...(await completeTransferSubject(database, organizationId, row)) }
    : { ...proposal, ...(await readRunSubject(database, organizationId, proposalId, now)) };
}

/** A proposal past its expiry is expired for every reader, even before the worker has recorded it. */
export function approvalStatus(
  facts: Pick<ProposalFacts, "state" | "status" | "expiresAt">,
  now: Date,
): ApprovalStatus {
  if (facts.state === "WAITING") return facts.expiresAt <= now ? "EXPIRED" : "WAITING";
  if (facts.state === "EXPIRED") return "EXPIRED";
  if (facts.state !== "APPROVED") return facts.state;
  return statusOfAccepted(facts.status);
}

export function statusOfAccepted(status: SubjectStatus): ApprovalStatus {
  switch (status) {
    case "COMPLETE":
    case "EXECUTED":
      return "SETTLED";
    case "FAILED":
    case "CANCELLED":
    case "RETURNED":
    case "PARTIAL":
      return status;
    default:
      return "ON_ITS_WAY";
  }
}
