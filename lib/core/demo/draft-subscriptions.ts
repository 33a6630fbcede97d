import { bankingDateOf, bankingInstant } from "@/lib/contract/banking-days";
import type { Draft } from "@/lib/core/demo/draft";

const MONTHS = 12;
const MINUTE_MS = 60_000;
/** Every month has a 28th. */
const LAST_COMMON_DAY = 28;

interface Subscription {
  merchant: string;
  dayOfMonth: number;
  amountInCents: number;
  /** The earlier price, and how many months ago it ended. */
  before?: { amountInCents: number; monthsAgo: number };
}

/** Together $319.00 a month, and $310.00 before one price increase. */
const SUBSCRIPTIONS: Subscription[] = [
  { merchant: "Stackline", dayOfMonth: 2, amountInCents: 8_400 },
  { merchant: "Kontor Books", dayOfMonth: 5, amountInCents: 3_800 },
  {
    merchant: "Plotter Design",
    dayOfMonth: 8,
    amountInCents: 7_500,
    before: { amountInCents: 6_600, monthsAgo: 5 },
  },
  { merchant: "Lettera Mail", dayOfMonth: 11, amountInCents: 5_400 },
  { merchant: "Pixel Pantry", dayOfMonth: 14, amountInCents: 2_900 },
  { merchant: "Parley Meetings", dayOfMonth: 17, amountInCents: 3_900 },
];

/** Charged overnight on the same day of each month, weekends included: a year of each, all settled. */
export function draftSubscriptions(draft: Draft): void {
  const settledBefore = draft.calendar.bankingDay(1);
  for (const { merchant, dayOfMonth, amountInCents, before } of SUBSCRIPTIONS) {
    const dates = draft.calendar.datesBefore(settledBefore, dayOfMonth, MONTHS);
    for (const [monthsAgo, date] of dates.entries()) {
      draft.purchases.push({
        card: "Subscriptions",
        merchant,
        category: "OTHER",
        amountInCents: before && monthsAgo >= before.monthsAgo ? before.amountInCents : amountInCents,
        madeAt: bankingInstant(date, "05:40"),
        end: "SETTLED",
      });
    }
  }
}

/** Charged on this day of each month; this month's has not settled yet. */
export function draftHarborCloud(draft: Draft, now: Date): void {
  const charge = {
    card: "Studio",
    merchant: "Harbor Cloud",
    category: "OTHER",
    amountInCents: 4_900,
  } as const;
  const pendingSince = new Date(now.getTime() - 151 * MINUTE_MS);
  draft.purchases.push({ ...charge, madeAt: pendingSince, end: "PENDING" });
  const today = bankingDateOf(pendingSince);
  const dayOfMonth = Math.min(Number(today.slice(8)), LAST_COMMON_DAY);
  const thisMonth = today.slice(0, 8).concat("01");
  for (const date of draft.calendar.datesBefore(thisMonth, dayOfMonth, MONTHS - 1)) {
    draft.purchases.push({ ...charge, madeAt: bankingInstant(date, "08:55"), end: "SETTLED" });
  }
}
