import type { CheckView } from "@/lib/contract/views/approval-view";
import type { ProposalFacts } from "@/lib/core/approvals/proposal-facts";

/**
 * Whether the assistant that asks might still ask: it may what its member may, and their role may have changed since.
 * Null: no assistant asks.
 */
export function assistantMayAsk({
  key,
  proposedBy,
}: Pick<ProposalFacts, "key" | "proposedBy">): CheckView | null {
  if (!key || proposedBy.kind !== "ASSISTANT") return null;
  const { createdByName: memberName, memberRole } = key;
  const mayAsk = memberRole === "OWNER" || memberRole === "CO_OWNER";
  return {
    kind: "ASSISTANT_MAY_ASK",
    outcome: mayAsk ? "CLEAR" : "LOOK",
    assistantName: proposedBy.name,
    memberName,
    memberRole,
  };
}
