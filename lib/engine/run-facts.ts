import type { RuleFacts } from "@/lib/contract/rules/facts";
import { accountOf } from "@/lib/engine/account-of";

/** What set a run off, as far as amounts depend on it. Cents; null where it was not given. */
export type RunBase =
  | { mode: "LIVE"; incomingAmountInCents: number | null }
  | {
      mode: "SIMULATION";
      executeAmountInCents: number | null;
      simulatedSourceBalanceInCents: number | null;
      simulatedIncomingFundsInCents: number | null;
    };

/**
 * Puts a run's base into the facts (specification, Part 4, "Trigger rules" 2 and 3; decisions page, "Base").
 *
 * A dry run's base stands for the balance of the trigger's account everywhere, conditions included; 0 counts as given.
 * A live run reads the real balance and adds nothing. Without an amount, the incoming amount is the base, which of a
 * real account is what is available of it.
 * @param facts as read, their incoming amount not yet set
 * @throws Error when the facts lack the trigger's account: a fault of ours.
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
    incomingAmountInCents: base.executeAmountInCents ?? availableInCents,
    accounts: { ...facts.accounts, [triggerAccountId]: { ...real, balanceInCents, availableInCents } },
  };
}
