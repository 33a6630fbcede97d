import type { CheckView } from "@/lib/contract/views/approval-view";
import type { ApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { checkRun } from "@/lib/core/approvals/check-run";
import { checkTransfer } from "@/lib/core/approvals/check-transfer";

/**
 * The checks of an approval screen, in their order. Pure; their outcomes are part of the digest (decisions page,
 * "Approval").
 */
export function runChecks(facts: ApprovalFacts): CheckView[] {
  const checks = facts.kind === "TRANSFER" ? checkTransfer(facts) : checkRun(facts);
  return facts.lookAlikes.length === 0
    ? checks
    : [...checks, { kind: "LOOK_ALIKE", outcome: "LOOK", names: facts.lookAlikes }];
}
