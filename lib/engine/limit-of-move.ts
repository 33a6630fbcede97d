import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

/** The limit that a planned move counts towards, by its id; null where its action has none. */
export function limitOfMove(
  rule: Pick<RuleDefinition, "steps">,
  plan: Pick<RulePlan, "stepIndexMatched">,
  move: Pick<PlannedMove, "actionIndex">,
): string | null {
  if (plan.stepIndexMatched === null) return null;
  return rule.steps[plan.stepIndexMatched]?.actions[move.actionIndex]?.limitId ?? null;
}
