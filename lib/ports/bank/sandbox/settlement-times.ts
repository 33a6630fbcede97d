import { addBankingDays, bankingDateOf, bankingInstant, bankingTimeOf } from "@/lib/contract/banking-days";

/** ACH files leave at 16:45 in New York; what arrives later is in the next banking day's file. */
export const CUT_OFF_TIME = "16:45";
/** Settlement and returns are posted in the morning of a banking day, New York time. */
export const POSTING_TIME = "08:30";

const BANKING_DAYS_TO_SETTLE = { CREDIT: 1, DEBIT: 2 } as const;

/** When an order submitted at this business time settles, unless something goes wrong. */
export function expectedSettlement(
  direction: "CREDIT" | "DEBIT",
  submittedAt: Date,
): { date: string; at: Date } {
  const date = addBankingDays(fileDate(submittedAt), BANKING_DAYS_TO_SETTLE[direction]);
  return { date, at: bankingInstant(date, POSTING_TIME) };
}

/** The posting time `count` banking days after a settlement. */
export function bankingDaysLater(settlementDate: string, count: number): Date {
  return bankingInstant(addBankingDays(settlementDate, count), POSTING_TIME);
}

/** The banking day whose file carries the order. A weekend or holiday has no cut-off: its orders go the next banking day. */
function fileDate(submittedAt: Date): string {
  const date = bankingDateOf(submittedAt);
  const today = addBankingDays(date, 0);
  const missedToday = today === date && bankingTimeOf(submittedAt) >= CUT_OFF_TIME;
  return missedToday ? addBankingDays(date, 1) : today;
}
