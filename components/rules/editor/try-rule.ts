import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { accountsOf } from "@/lib/engine/accounts-of";
import { evaluate } from "@/lib/engine/evaluate";
import { withBase } from "@/lib/engine/run-facts";

interface Trial {
  /** Null: it cannot be worked out. */
  plan: RulePlan | null;
  missing: UnknownFact | null;
}

/** What the rule would do with this amount now: a dry run, worked out where it is asked. */
export function tryRule(definition: RuleDefinition, facts: RuleFacts, amountInCents: number): Trial {
  // JSON may name what is not here, or an account beyond those that were read; the server refuses or knows it.
  if (accountsOf(definition).some((id) => !(id in facts.accounts))) return { plan: null, missing: null };
  const based = withBase(facts, definition.trigger.accountId, {
    mode: "SIMULATION",
    executeAmountInCents: amountInCents,
    simulatedSourceBalanceInCents: null,
    simulatedIncomingFundsInCents: null,
  });
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
  const asked = JSON.stringify(steps[0]?.conditions ?? null).matchAll(
    /"fact":"INCOMING_AMOUNT","operator":"GREATER_THAN(?:_OR_EQUAL)?","value":(\d+)/g,
  );
  const thresholds = [...asked].map(([, cents]) => Number(cents));
  return Math.max(EXAMPLE_IN_CENTS, trigger.minimumAmountInCents ?? 0, ...thresholds);
}
