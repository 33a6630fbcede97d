import type { Draft } from "@/lib/core/demo/draft";
import type { DemoDeposit, DemoPurchase } from "@/lib/core/demo/history-step";
import { ACCOUNTS, type AccountName, ORGANIZATION } from "@/lib/core/demo/northwind";
import { CARDS } from "@/lib/core/demo/northwind-cards";
import { type PlannedCardNotice, planPurchase } from "@/lib/ports/cards/sandbox/plan-purchase";

const PODS: AccountName[] = ["Operating", "Taxes", "Payroll", "Profit", "Owner’s pay"];

/** What each managed account must open with to end at its balance, as checks that are handed in at `openedAt`. */
export function openingDeposits(draft: Draft, openedAt: (minute: number) => Date): DemoDeposit[] {
  const change = changesOf(draft);
  return PODS.map((to, index) => ({
    to,
    amountInCents: ACCOUNTS[to].balanceInCents - (change.get(to) ?? 0),
    payerName: ORGANIZATION.name,
    origin: "CHECK_DEPOSIT",
    madeAt: openedAt(index),
  }));
}

/** What becomes of a purchase within the history. */
export function noticesOf({ amountInCents, madeAt, end }: DemoPurchase): PlannedCardNotice[] {
  return end === "SETTLED" ? planPurchase(amountInCents, madeAt).notices : [];
}

/** By how much what is drafted changes each account. */
function changesOf({
  movements,
  deposits,
  purchases,
  cardCredits,
  ruleMoves,
}: Draft): Map<AccountName, number> {
  const change = new Map<AccountName, number>();
  const add = (account: AccountName, cents: number) =>
    change.set(account, (change.get(account) ?? 0) + cents);
  for (const { from, to, amountInCents, end } of movements) {
    if (end.kind !== "NOT_ASKED" && !(end.kind === "APPROVED" && !end.isUndone)) continue;
    add(from, -amountInCents);
    add(to, amountInCents);
  }
  for (const { from, to, amountInCents } of ruleMoves) {
    add(from, -amountInCents);
    add(to, amountInCents);
  }
  for (const { to, amountInCents, returnedAt } of deposits) if (!returnedAt) add(to, amountInCents);
  for (const purchase of purchases) {
    for (const { kind, amountInCents } of noticesOf(purchase)) {
      if (kind === "SETTLED") add(CARDS[purchase.card].account, -amountInCents);
      if (kind === "REFUND") add(CARDS[purchase.card].account, amountInCents);
    }
  }
  for (const { card, amountInCents } of cardCredits) add(CARDS[card].account, amountInCents);
  return change;
}
