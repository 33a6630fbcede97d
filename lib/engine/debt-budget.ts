import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { RunningMoney } from "@/lib/engine/running-money";
import type { Wanted } from "@/lib/engine/wanted-amounts";

type DebtBudget = Extract<RuleAction, { type: "SNOWBALL" | "AVALANCHE" }>;

/**
 * A budget over several debts: the first is paid before the second gets anything. Every debt has its transfer, those
 * that the budget no longer reaches one of nothing, so that nothing goes unsaid.
 *
 * Lazy on purpose: what the next debt may have shows only once the one before it has its money. A debt that a limit or
 * an empty source left unpaid ends the budget, or the larger debt would get what was meant for the smaller. One too
 * small for any transfer holds up nobody and uses up nothing.
 * @throws NeedsUnknown
 */
export function* overDebts(action: DebtBudget, money: RunningMoney): Generator<Wanted> {
  let budgetInCents = action.amountInCents;
  for (const { accountId, owedInCents } of inOrderOfPayment(action, money)) {
    yield {
      destinationAccountId: accountId,
      baseInCents: budgetInCents,
      wantedInCents: Math.min(owedInCents, budgetInCents),
      cap: { kind: "OWED", atInCents: owedInCents },
    };
    const stillOwedInCents = money.owed(accountId);
    const isPaid = stillOwedInCents < MINIMUM_TRANSFER_IN_CENTS;
    budgetInCents = isPaid ? budgetInCents - (owedInCents - stillOwedInCents) : 0;
  }
}

/** Each debt once, however often the rule names it; between equals the one named first. */
function inOrderOfPayment(action: DebtBudget, money: RunningMoney) {
  const debts = [...new Set(action.destinationAccountIds)].map((accountId) => ({
    accountId,
    owedInCents: money.owed(accountId),
    // A debt whose rate is not known comes after those of known rates: a rate, unlike a balance, moves no money.
    rate: money.account(accountId).interestRatePercentage ?? -1,
  }));
  return action.type === "SNOWBALL"
    ? debts.sort((one, other) => one.owedInCents - other.owedInCents)
    : debts.sort((one, other) => other.rate - one.rate || one.owedInCents - other.owedInCents);
}
