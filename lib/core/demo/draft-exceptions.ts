import { bankingDateOf } from "@/lib/contract/banking-days";
import type { Draft } from "@/lib/core/demo/draft";
import type { DemoRunAsked } from "@/lib/core/demo/history-step";
import { ACCOUNTS } from "@/lib/core/demo/northwind";

/** How long before its due date the card is paid. */
const CARD_PAID_DAYS_BEFORE = 5;
const MINUTE_MS = 60_000;
/** Latest first: one per month, except the waiting one. */
const CARD_STATEMENTS_IN_CENTS = [
  214_075, 198_630, 220_715, 176_290, 189_945, 231_460, 184_120, 162_780, 171_355, 148_935, 193_510,
];

/** Card payments in full, some days before the due date. */
export function draftCardPayments(draft: Draft): void {
  const dueDates = draft.calendar.earlierCardDueDates(CARD_STATEMENTS_IN_CENTS.length);
  for (const [index, dueDate] of dueDates.entries()) {
    const day = draft.calendar.bankingDayBefore(dueDate, CARD_PAID_DAYS_BEFORE);
    const amountInCents = CARD_STATEMENTS_IN_CENTS[index] ?? 0;
    draft.approved({ ...cardPayment(dueDate, amountInCents), day, time: "11:40" });
  }
}

function cardPayment(dueDate: string, amountInCents: number) {
  const month = new Intl.DateTimeFormat("en-US", { month: "long", timeZone: "UTC" }).format(
    new Date(dueDate),
  );
  return {
    key: "ops-cardpay",
    from: "Operating",
    to: "Summit Visa",
    amountInCents,
    reason: `${month} statement is due on ${month} ${Number(dueDate.slice(8))}. This pays it in full.`,
  } as const;
}

/** Denials, failures, and returns, so that every outcome appears. */
export function draftOutOfTheOrdinary(draft: Draft): void {
  const claude = { key: "claude-bookkeeping" } as const;
  // .03: settles, and is returned two banking days later (R10), before any rule would pass it on.
  draft.approved(
    {
      ...claude,
      from: "First Harbor Checking",
      to: "Operating",
      amountInCents: 50_003,
      day: 38,
      time: "10:30",
      reason: "Checking has more than its bills need. This moves $500.03 back to Operating.",
    },
    true,
  );
  // .02: the bank accepts it and returns it instead of settling it (R16).
  draft.approved(
    {
      ...claude,
      from: "Taxes",
      to: "First Harbor Checking",
      amountInCents: 290_002,
      day: 5,
      time: "11:50",
      label: "STATE TAX",
      reason: "State tax is due from checking on the 20th.",
    },
    true,
  );
  draft.expired({
    key: "mara-cli",
    from: "Operating",
    to: "Owner’s pay",
    amountInCents: 80_000,
    day: 4,
    time: "10:15",
    reason: "An extra week’s pay.",
  });
  draft.denied(
    {
      ...claude,
      from: "Profit",
      to: "First Harbor Checking",
      amountInCents: 120_000,
      day: 1,
      time: "15:05",
      reason: "Checking won’t cover the rent on the 1st. This closes the gap.",
    },
    "MARA",
    95,
    "Keep the goal on track.",
  );
  // No one has split it when the sender's bank takes it back.
  draft.deposit(5, "16:10", "Juniper Foods", 90_000, draft.calendar.at(3, "08:30"));
  // Too small for the rule to split it without approval.
  draft.deposit(1, "08:50", "Finch & Co", ACCOUNTS["Client payments"].balanceInCents);
}

/** The waiting proposals: the card's closes in 2 h 40 min, the split in 9 h 05 min, the tax in 21 h 14 min. */
export function draftWaiting(draft: Draft, now: Date): void {
  const ago = (hours: number, minutes: number) =>
    new Date(now.getTime() - (hours * 60 + minutes) * MINUTE_MS);
  draft.movements.push({
    ...cardPayment(draft.calendar.nextCardDueDate, ACCOUNTS["Summit Visa"].balanceInCents),
    askedAt: ago(21, 20),
    end: { kind: "WAITING" },
  });
  const splitAskedAt = ago(14, 55);
  const run: DemoRunAsked = {
    key: "zapier-invoices",
    rule: "Split client payments",
    amountInCents: ACCOUNTS["Client payments"].balanceInCents,
    reason: "Finch & Co paid invoice 322. Run Split client payments on it.",
    idempotencyKey: "inv-322",
    askedAt: splitAskedAt,
  };
  draft.ruleSteps.push({ kind: "ASK_RUN", at: splitAskedAt, run });
  const askedAt = ago(2, 46);
  draft.movements.push({
    key: "claude-bookkeeping",
    from: "Operating",
    to: "Taxes",
    amountInCents: 425_000,
    askedAt,
    label: "Q4 TAX",
    reason:
      "Q4 estimated tax is $13,560.00 and due 15 December. Taxes holds $9,310.00. This transfer closes the gap so the quarterly payment can go out in full.",
    idempotencyKey: `q4-estimate-${bankingDateOf(askedAt)}`,
    calledReason: "Closing the gap before the Q4 estimate",
    end: { kind: "WAITING" },
  });
}
