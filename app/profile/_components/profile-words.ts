import { formatDate } from "@/components/time/format-instant";
import type { FinancialProfile, StreamFrequency } from "@/lib/contract/financial-profile";
import type { TimeContext } from "@/lib/contract/time-context";
import { calendarDate, dayOf, describeDay } from "@/lib/engine/schedule/calendar-day";

/** The headline: how much of the income was kept or overspent. */
export function profileTitle({
  income,
  categoryBreakdown,
}: Pick<FinancialProfile, "income" | "categoryBreakdown">): string {
  const spentInCents = spentIn(categoryBreakdown);
  if (income.totalInCents <= 0) {
    return spentInCents > 0 ? "You spent money but had no income" : "No income and no spending";
  }
  const share = (income.totalInCents - spentInCents) / income.totalInCents;
  if (share < 0) return `You spent ${percent(-share)} more than came in`;
  return `You kept ${percent(share)} of what came in`;
}

/** Total spending, net of refunds. */
export function spentIn(breakdown: FinancialProfile["categoryBreakdown"]): number {
  return breakdown.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
}

/** Which part of a month the window covers: `from Aug 25`, `so far`; null: all of it. */
export function partOfMonth(
  month: string,
  window: FinancialProfile["window"],
  time: TimeContext,
): string | null {
  const first = calendarDate(new Date(window.from), time.timeZone);
  const last = calendarDate(new Date(window.to), time.timeZone);
  const lastDay = describeDay(dayOf(last));
  const parts: string[] = [];
  if (first.startsWith(month) && !first.endsWith("-01")) parts.push(`from ${formatDate(first, time)}`);
  if (last.startsWith(month) && lastDay.dayOfMonth < lastDay.lastOfMonth) {
    const isCurrent = last === calendarDate(new Date(time.nowAt), time.timeZone);
    parts.push(isCurrent ? "so far" : `to ${formatDate(last, time)}`);
  }
  return parts.length > 0 ? parts.join(", ") : null;
}

const DAY_MS = 86_400_000;
const DAYS_IN_A_MONTH = 365.25 / 12;

/** The window's amount per month of average length. */
export function aMonth(amountInCents: number, { from, to }: FinancialProfile["window"]): number {
  const days = Math.max(1, (Date.parse(to) - Date.parse(from)) / DAY_MS);
  return Math.round((amountInCents * DAYS_IN_A_MONTH) / days);
}

/** `27%`; a share above zero never reads 0%. */
export function percent(share: number): string {
  const whole = Math.round(share * 100);
  return whole === 0 && share > 0 ? "<1%" : `${whole}%`;
}

/** `29.1%`, with a true minus sign. */
export function rate(share: number): string {
  return `${share < 0 ? "−" : ""}${(Math.abs(share) * 100).toFixed(1)}%`;
}

export const FREQUENCY_WORDS: Record<StreamFrequency, string> = {
  WEEKLY: "Weekly",
  EVERY_OTHER_WEEK: "Every 2 weeks",
  TWICE_A_MONTH: "Twice a month",
  MONTHLY: "Monthly",
  QUARTERLY: "Quarterly",
  YEARLY: "Yearly",
  IRREGULAR: "Irregular",
};

export const FEE_WORDS: Record<FinancialProfile["fees"]["byKind"][number]["kind"], string> = {
  BANK: "Account fees",
  INTEREST: "Card interest",
  OVERDRAFT: "Overdrafts",
  ATM: "ATM",
  FOREIGN_TRANSACTION: "Foreign transactions",
  LATE_PAYMENT: "Late payments",
  WIRE: "Wires",
};
