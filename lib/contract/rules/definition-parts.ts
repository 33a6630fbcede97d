import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleTrigger } from "@/lib/contract/rules/trigger";

/** The accounts that an action moves money to. */
export function destinationsOf(action: RuleAction): readonly string[] {
  return "destinationAccountIds" in action ? action.destinationAccountIds : [action.destinationAccountId];
}

/** The zone whose clock a scheduled rule follows; null for other rules. */
export function scheduleZoneOf(rule: { trigger: RuleTrigger } | null): string | null {
  return rule?.trigger.type === "SCHEDULED" ? rule.trigger.schedule.timeZone : null;
}
