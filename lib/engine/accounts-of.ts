import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

type Conditions = RuleDefinition["steps"][number]["conditions"];

/** Every account that a rule names, once each: the accounts whose facts it needs. */
export function accountsOf(definition: Pick<RuleDefinition, "trigger" | "steps">): string[] {
  const ids = new Set([definition.trigger.accountId]);
  for (const step of definition.steps) {
    for (const accountId of conditionAccounts(step.conditions)) ids.add(accountId);
    for (const action of step.actions) {
      ids.add(action.sourceAccountId);
      for (const accountId of destinationsOf(action)) ids.add(accountId);
    }
  }
  return [...ids];
}

/** The schema bounds the depth of conditions. */
export function conditionAccounts(conditions: Conditions): string[] {
  const found: string[] = [];
  const waiting: unknown[] = [conditions];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    for (const [name, value] of Object.entries(node)) {
      if (name === "accountId" && typeof value === "string") found.push(value);
      else if (Array.isArray(value)) waiting.push(...value);
      else waiting.push(value);
    }
  }
  return found;
}
