import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { PlanCap } from "@/lib/contract/rules/plan";
import type { RunningMoney } from "@/lib/engine/running-money";
import { type GroupShares, type PlacedAction, percentageOf } from "@/lib/engine/share-out";

/** The amount that one transfer of an action asks for, before money and limits bound it. */
export interface Wanted {
  destinationAccountId: string;
  /** The base of its calculation; null for an amount given in the rule. */
  baseInCents: number | null;
  wantedInCents: number;
  /** The action's own bound: the amount owed. */
  cap: PlanCap | null;
}

/**
 * The amounts that an action asks for, one per transfer (docs/behavior/rules.md). Consume it while making the
 * transfers: later amounts depend on what earlier ones got.
 * @throws NeedsUnknown
 */
export function wantedAmounts(
  { action, actionIndex }: PlacedAction,
  shares: GroupShares,
  money: RunningMoney,
): Iterable<Wanted> {
  switch (action.type) {
    case "FIXED":
      return [to(action, null, action.amountInCents)];
    case "PERCENTAGE": {
      const share = shares.get(actionIndex);
      if (!share) throw new Error("A share was not calculated with its group");
      return [to(action, share.baseInCents, share.shareInCents)];
    }
    case "TOP_UP": {
      const holds = money.filled(action.destinationAccountId);
      // A debt cannot be filled up: money sent to it reduces its balance.
      const isDebt = money.isDebt(action.destinationAccountId);
      return [to(action, holds, isDebt ? 0 : Math.max(0, action.amountInCents - holds))];
    }
    case "ROUND_DOWN": {
      const left = money.left(action.sourceAccountId);
      return [to(action, left, left % action.amountInCents)];
    }
    case "REMAINDER": {
      const left = money.left(action.sourceAccountId);
      return [to(action, left, Math.max(0, left - action.keepInCents))];
    }
    case "NEXT_PAYMENT_MINIMUM":
    case "LAST_STATEMENT_BALANCE":
    case "TOTAL_AMOUNT_DUE":
    case "PERCENTAGE_OF_LIABILITY":
      return [towardsDebt(action, money)];
    case "SNOWBALL":
    case "AVALANCHE":
      return overDebts(action, money);
  }
}

type OneDestination = Extract<RuleAction, { destinationAccountId: string }>;

function to(action: OneDestination, baseInCents: number | null, wantedInCents: number): Wanted {
  return { destinationAccountId: action.destinationAccountId, baseInCents, wantedInCents, cap: null };
}

type DebtPayment = Extract<
  RuleAction,
  {
    type: "NEXT_PAYMENT_MINIMUM" | "LAST_STATEMENT_BALANCE" | "TOTAL_AMOUNT_DUE" | "PERCENTAGE_OF_LIABILITY";
  }
>;

function towardsDebt(action: DebtPayment, money: RunningMoney): Wanted {
  const owed = money.owed(action.destinationAccountId);
  const { baseInCents, wantedInCents } = dueOf(action, owed, money);
  return { ...to(action, baseInCents, wantedInCents), cap: { kind: "OWED", atInCents: owed } };
}

function dueOf(action: DebtPayment, owed: number, money: RunningMoney) {
  const id = action.destinationAccountId;
  switch (action.type) {
    case "NEXT_PAYMENT_MINIMUM":
      return money.isDebt(id) ? lessPaid(money.minimumOf(id), money.paidOf(id, "MINIMUM")) : NOTHING_DUE;
    case "LAST_STATEMENT_BALANCE":
      return money.isDebt(id) ? lessPaid(money.statementOf(id), money.paidOf(id, "STATEMENT")) : NOTHING_DUE;
    case "TOTAL_AMOUNT_DUE":
      return { baseInCents: owed, wantedInCents: owed };
    case "PERCENTAGE_OF_LIABILITY":
      return { baseInCents: owed, wantedInCents: percentageOf(owed, action.percentage) };
  }
}

const NOTHING_DUE = { baseInCents: 0, wantedInCents: 0 };

function lessPaid(dueInCents: number, paidInCents: number) {
  return { baseInCents: dueInCents, wantedInCents: Math.max(0, dueInCents - paidInCents) };
}

type DebtBudget = Extract<RuleAction, { type: "SNOWBALL" | "AVALANCHE" }>;

/**
 * A budget over several debts: the first is paid before the second gets anything. Every debt has a transfer, with zero if
 * the budget does not reach it, so that every debt appears in the plan.
 *
 * Lazy on purpose: the next debt's amount depends on what the previous one got. A debt that a limit or an empty source
 * left unpaid ends the budget, or a later debt would get its money. A debt below the minimum transfer is passed over.
 * @throws NeedsUnknown
 */
function* overDebts(action: DebtBudget, money: RunningMoney): Generator<Wanted> {
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

/** Each debt once, even if named repeatedly; ties keep the order in the rule. */
function inOrderOfPayment(action: DebtBudget, money: RunningMoney) {
  const debts = [...new Set(action.destinationAccountIds)].map((accountId) => ({
    accountId,
    owedInCents: money.owed(accountId),
    // Unknown rates come last: unlike a balance, a rate moves no money.
    rate: money.account(accountId).interestRatePercentage ?? -1,
  }));
  return action.type === "SNOWBALL"
    ? debts.sort((one, other) => one.owedInCents - other.owedInCents)
    : debts.sort((one, other) => other.rate - one.rate || one.owedInCents - other.owedInCents);
}
