import type { CheckView } from "@/lib/contract/views/approval-view";
import type { ProposalFacts } from "@/lib/core/approvals/proposal-facts";

/**
 * Why it waits although its key need not have asked: the cap, and what had been set moving when it was held. It stays as
 * it was, for approving changes nothing of what was. Null: another reason.
 */
export function aboveDailyCap({
  aboveCap,
  proposedBy,
}: Pick<ProposalFacts, "aboveCap" | "proposedBy">): CheckView | null {
  return aboveCap && { kind: "DAILY_CAP", outcome: "LOOK", keyName: proposedBy.name, ...aboveCap };
}
