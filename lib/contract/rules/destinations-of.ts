import type { RuleAction } from "@/lib/contract/rules/action";

/** The accounts that an action moves money to. */
export function destinationsOf(action: RuleAction): readonly string[] {
  return "destinationAccountIds" in action ? action.destinationAccountIds : [action.destinationAccountId];
}
