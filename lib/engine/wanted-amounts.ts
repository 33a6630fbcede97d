import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { PlanCap } from "@/lib/contract/rules/plan";
import type { RunningMoney } from "@/lib/engine/running-money";
import { percentageOf, shareOut } from "@/lib/engine/share-out";
import { NeedsUnknown } from "@/lib/engine/unknown-fact";

/** What one transfer of an action asks for, before money and limits bound it. */
export interface Wanted {
  destinationAccountId: string;
  /** What it was worked out from; null for an amount that the rule names itself. */
  baseInCents: number | null;
  wantedInCents: number;
  /** A bound of the action's own: what is owed. */
  cap: PlanCap | null;
}

type Share = Extract<RuleAction, { type: "PERCENTAGE" }>;
type DebtBudget = Extract<RuleAction, { type: "SNOWBALL" | "AVALANCHE" }>;

/** The shares of one group, worked out of one snapshot: cents by action (decisions page, "Order"). */
export type GroupShares = ReadonlyMap<Share, { baseInCents: number; shareInCents: number }>;

/**
 * Shares out every base of a group at once, before any of its actions has taken something.
 * @throws NeedsUnknown
 */
export function shareOutGroup(
  actions: readonly RuleAction[],
  facts: RuleFacts,
  money: RunningMoney,
): GroupShares {
  const byBase = new Map<string, Share[]>();
  for (const action of actions) {
    if (action.type !== "PERCENTAGE") continue;
    const key = `${action.sourceAccountId} ${action.of}`;
    byBase.set(key, [...(byBase.get(key) ?? []), action]);
  }
  const shares = new Map<Share, { baseInCents: number; shareInCents: number }>();
  for (const group of byBase.values()) {
    const first = group[0];
    if (!first) continue;
    const baseInCents =
      first.of === "INCOMING_AMOUNT" ? incomingAmount(facts) : money.left(first.sourceAccountId);
    const cents = shareOut(
      baseInCents,
      group.map((share) => share.percentage),
    );
    for (const [index, share] of group.entries())
      shares.set(share, { baseInCents, shareInCents: cents[index] ?? 0 });
  }
  return shares;
}

function incomingAmount(facts: RuleFacts): number {
  if (facts.incomingAmountInCents === null)
    throw new NeedsUnknown({ fact: "INCOMING_AMOUNT", accountId: null });
  return Math.max(0, facts.incomingAmountInCents);
}

/**
 * What an action asks for, one entry a transfer (decisions page, "Actions").
 * @throws NeedsUnknown
 */
export function wantedAmounts(action: RuleAction, shares: GroupShares, money: RunningMoney): Wanted[] {
  switch (action.type) {
    case "SNOWBALL":
    case "AVALANCHE":
      return overDebts(action, money);
    case "FIXED":
      return [to(action, null, action.amountInCents)];
    case "PERCENTAGE": {
      const share = shares.get(action);
      if (!share) throw new Error("A share was not worked out with its group");
      return [to(action, share.baseInCents, share.shareInCents)];
    }
    case "TOP_UP": {
      const holds = money.filled(action.destinationAccountId);
      return [to(action, holds, Math.max(0, action.amountInCents - holds))];
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
  const id = action.destinationAccountId;
  const { nextPaymentMinimumInCents, lastStatementBalanceInCents } = money.account(id);
  const owed = money.owed(id);
  const capped = (baseInCents: number, wantedInCents: number): Wanted => ({
    ...to(action, baseInCents, Math.max(0, wantedInCents)),
    cap: { kind: "OWED", atInCents: owed },
  });
  switch (action.type) {
    case "NEXT_PAYMENT_MINIMUM": {
      const minimum = money.known(id, "NEXT_PAYMENT_MINIMUM", nextPaymentMinimumInCents);
      return capped(minimum, minimum);
    }
    case "LAST_STATEMENT_BALANCE": {
      const statement = money.known(id, "LAST_STATEMENT_BALANCE", lastStatementBalanceInCents);
      return capped(statement, statement);
    }
    case "TOTAL_AMOUNT_DUE":
      return capped(owed, owed);
    case "PERCENTAGE_OF_LIABILITY":
      return capped(owed, percentageOf(owed, action.percentage));
  }
}

/** Every debt has its transfer, those that the budget no longer reaches one of nothing, so that nothing goes unsaid. */
function overDebts(action: DebtBudget, money: RunningMoney): Wanted[] {
  let budgetInCents = action.amountInCents;
  return inOrderOfPayment(action, money).map(({ accountId, owedInCents }) => {
    const wantedInCents = Math.min(owedInCents, budgetInCents);
    const baseInCents = budgetInCents;
    budgetInCents -= wantedInCents;
    const cap = { kind: "OWED" as const, atInCents: owedInCents };
    return { destinationAccountId: accountId, baseInCents, wantedInCents, cap };
  });
}

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
