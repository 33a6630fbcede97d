import type { DryRunBase } from "@/lib/contract/rules/execution";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

/** The trigger of a run, as far as amounts depend on it. In cents; null if not given. */
export type RunBase =
  | { mode: "LIVE"; incomingAmountInCents: number | null }
  | {
      mode: "SIMULATION";
      executeAmountInCents: number | null;
      simulatedSourceBalanceInCents: number | null;
      simulatedIncomingFundsInCents: number | null;
      /** The amount that a live run would get. */
      incomingAmountInCents: number | null;
    };
export type SimulatedBase = Extract<RunBase, { mode: "SIMULATION" }>;

type Trigger = RuleDefinition["trigger"];

/**
 * The base of a dry run. For rules that act on deposits, simulated funds are the incoming amount, as if already arrived;
 * other rules only use the balance.
 */
export function simulatedBase(
  trigger: Pick<Trigger, "type">,
  given: Partial<
    Pick<
      SimulatedBase,
      "executeAmountInCents" | "simulatedSourceBalanceInCents" | "simulatedIncomingFundsInCents"
    >
  >,
): SimulatedBase {
  const base = {
    mode: "SIMULATION" as const,
    executeAmountInCents: given.executeAmountInCents ?? null,
    simulatedSourceBalanceInCents: given.simulatedSourceBalanceInCents ?? null,
    simulatedIncomingFundsInCents: given.simulatedIncomingFundsInCents ?? null,
  };
  const arrivedInCents = isArrival(trigger, base) ? base.simulatedIncomingFundsInCents : null;
  return { ...base, incomingAmountInCents: base.executeAmountInCents ?? arrivedInCents };
}

/** Whether a dry run simulates a deposit that triggers the rule. */
export function isArrival(
  { type }: Pick<Trigger, "type">,
  base: Pick<SimulatedBase, "simulatedIncomingFundsInCents">,
): boolean {
  return type === "ON_FUNDS_TRANSFERRED" && base.simulatedIncomingFundsInCents !== null;
}

/**
 * The base for a page's slider: this amount arrives in addition to the balance, or, for rules not triggered by deposits,
 * the account holds this amount.
 */
export function whatIfBase(trigger: Pick<Trigger, "type">, amountInCents: number): SimulatedBase {
  return trigger.type === "ON_FUNDS_TRANSFERRED"
    ? simulatedBase(trigger, { simulatedIncomingFundsInCents: amountInCents })
    : simulatedBase(trigger, { simulatedSourceBalanceInCents: amountInCents });
}

/**
 * Puts a run's base into the facts (specification, Part 4, "Trigger rules" 2 and 3; docs/behavior/rules.md).
 *
 * A dry run's base replaces the balance of the trigger's account everywhere, including conditions; 0 counts as given. A
 * live run reads the real balance and adds nothing. Without an amount, the incoming amount is the base: for a real
 * account, its available balance.
 * @param facts as read, without an incoming amount
 * @throws Error if the facts lack the trigger's account: an internal error.
 */
export function withBase(facts: RuleFacts, triggerAccountId: string, base: RunBase): RuleFacts {
  const real = accountOf(facts, triggerAccountId);
  if (base.mode === "LIVE") {
    return { ...facts, incomingAmountInCents: base.incomingAmountInCents ?? real.availableInCents };
  }
  const given = base.simulatedSourceBalanceInCents ?? base.executeAmountInCents;
  const added = base.simulatedIncomingFundsInCents ?? 0;
  const plus = (cents: number | null) => (cents === null ? null : cents + added);
  const balanceInCents = plus(given ?? real.balanceInCents);
  const availableInCents = plus(given ?? real.availableInCents);
  return {
    ...facts,
    incomingAmountInCents: base.incomingAmountInCents ?? availableInCents,
    accounts: { ...facts.accounts, [triggerAccountId]: { ...real, balanceInCents, availableInCents } },
  };
}

/**
 * The base of a dry run, for display with its outcome.
 * @param facts the facts of its evaluation (`withBase`)
 */
export function toDryRunBase(trigger: Trigger, base: SimulatedBase, facts: RuleFacts): DryRunBase {
  const { simulatedIncomingFundsInCents } = base;
  const minimum = trigger.type === "ON_FUNDS_TRANSFERRED" ? (trigger.minimumAmountInCents ?? 0) : 0;
  return {
    kind: kindOf(base),
    accountId: trigger.accountId,
    availableInCents: accountOf(facts, trigger.accountId).availableInCents,
    simulatedIncomingFundsInCents,
    incomingAmountInCents: facts.incomingAmountInCents,
    setsOff: isArrival(trigger, base) ? (simulatedIncomingFundsInCents ?? 0) >= minimum : null,
  };
}

function kindOf(base: SimulatedBase): DryRunBase["kind"] {
  if (base.simulatedSourceBalanceInCents !== null) return "SIMULATED_SOURCE_BALANCE";
  return base.executeAmountInCents === null ? "REAL_BALANCE" : "EXECUTE_AMOUNT";
}

/** @throws Error for an account missing from the facts: an internal error, not an unknown value to wait for. */
export function accountOf(facts: Pick<RuleFacts, "accounts">, accountId: string): AccountFacts {
  const account = facts.accounts[accountId];
  if (!account) throw new Error(`The facts lack the account ${accountId}`);
  return account;
}

/** Thrown inside an evaluation that needs an unknown value. `evaluate` catches it; callers never see it. */
export class NeedsUnknown extends Error {
  constructor(readonly missing: UnknownFact) {
    super(`The evaluation needs ${missing.fact}, which is unknown`);
  }
}
