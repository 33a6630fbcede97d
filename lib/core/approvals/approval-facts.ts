import { type ProposalFacts, readProposalFacts } from "@/lib/core/approvals/proposal-facts";
import { type RunSubject, readRunSubject } from "@/lib/core/approvals/run-subject";
import { readTransferSubject, type TransferSubject } from "@/lib/core/approvals/transfer-subject";
import type { Queryable } from "@/lib/db/transaction";

export type TransferApprovalFacts = ProposalFacts & TransferSubject;
export type RunApprovalFacts = ProposalFacts & RunSubject;

/** Everything about a proposal that its checks and its digest rest on. */
export type ApprovalFacts = TransferApprovalFacts | RunApprovalFacts;

/**
 * Reads the facts of one proposal, or null when the organization has none with this id. Inside the deciding
 * transaction it reads under that transaction's locks, so what is decided is what is checked.
 * @param now business time.
 */
export async function readApprovalFacts(
  database: Queryable,
  organizationId: string,
  proposalId: string,
  now: Date,
): Promise<ApprovalFacts | null> {
  const found = await readProposalFacts(database, organizationId, proposalId);
  if (!found) return null;
  if (found.kind === "TRANSFER") {
    return {
      ...found.proposal,
      ...(await readTransferSubject(database, organizationId, proposalId, now)),
    };
  }
  return { ...found.proposal, ...(await readRunSubject(database, organizationId, proposalId, now)) };
}
