import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { accountsOf } from "@/lib/engine/accounts-of";
import { evaluate } from "@/lib/engine/evaluate";
import { whatIfBase, withBase } from "@/lib/engine/run-facts";

interface Trial {
  /** Null: it cannot be worked out. */
  plan: RulePlan | null;
  missing: UnknownFact | null;
}

/** What the rule would do with this amount now: a dry run, worked out where it is asked. */
export function tryRule(definition: RuleDefinition, facts: RuleFacts, amountInCents: number): Trial {
  // JSON may name what is not here, or an account beyond those that were read; the server refuses or knows it.
  if (accountsOf(definition).some((id) => !(id in facts.accounts))) return { plan: null, missing: null };
  const { trigger } = definition;
  const based = withBase(facts, trigger.accountId, whatIfBase(trigger, amountInCents));
  const evaluation = evaluate(definition, based);
  return evaluation.kind === "PLANNED"
    ? { plan: evaluation.plan, missing: null }
    : { plan: null, missing: evaluation.missing };
}

const EXAMPLE_IN_CENTS = 500_000;

/** An amount to begin with: what the account has; of arrivals one that the first step is for, if it says. */
export function exampleAmount({ trigger, steps }: RuleDefinition, facts: RuleFacts): number {
  if (trigger.type !== "ON_FUNDS_TRANSFERRED") {
    return Math.max(0, facts.accounts[trigger.accountId]?.availableInCents ?? EXAMPLE_IN_CENTS);
  }
  return Math.max(
    EXAMPLE_IN_CENTS,
    trigger.minimumAmountInCents ?? 0,
    ...askedOf(steps[0]?.conditions ?? null),
  );
}

/** The amounts that conditions ask an arrival to have; the schema bounds how deep they nest. */
function askedOf(node: unknown): number[] {
  if (typeof node !== "object" || node === null) return [];
  if (!("fact" in node)) return Object.values(node).flat().flatMap(askedOf);
  const operator = "operator" in node ? node.operator : null;
  const isAtLeast = operator === "GREATER_THAN" || operator === "GREATER_THAN_OR_EQUAL";
  const value = "value" in node ? node.value : null;
  return node.fact === "INCOMING_AMOUNT" && isAtLeast && typeof value === "number"
    ? [operator === "GREATER_THAN" ? value + 100 : value]
    : [];
}
