import type { ApprovalStatus } from "@/lib/contract/views/approval-view";
import type { ProposalFacts, SubjectStatus } from "@/lib/core/approvals/proposal-facts";

/** A proposal past its time is expired for every reader, also in the moment before the worker has written it. */
export function approvalStatus(
  facts: Pick<ProposalFacts, "state" | "status" | "expiresAt">,
  now: Date,
): ApprovalStatus {
  if (facts.state === "WAITING") return facts.expiresAt <= now ? "EXPIRED" : "WAITING";
  if (facts.state === "EXPIRED") return "EXPIRED";
  if (facts.state !== "APPROVED") return facts.state;
  return statusOfAccepted(facts.status);
}

/** How far what was accepted has come. */
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
