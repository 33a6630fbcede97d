import { calendarDate } from "@/lib/engine/schedule/calendar-day";

/** A transfer that a person decided. */
export interface DecidedTransfer {
  isApproved: boolean;
  amountInCents: number;
  decidedAt: Date;
}

/** Amounts that would have covered what people approved. */
export interface SuggestedAmounts {
  /** Of one transfer. */
  maximumInCents: number;
  /** In a calendar month. */
  monthInCents: number;
  /** Of the decided ones up to the maximum. */
  approvedCount: number;
  decidedCount: number;
}

/** From so many on, and with so many denied at most. */
const MINIMUM_DECIDED = 25;
const MAXIMUM_DENIED = 1;

interface Setting {
  timeZone: string;
  /** What the key may move at a time on this route; null: any amount. */
  maximumInCents: number | null;
}

/**
 * What to suggest where people decided often and approved nearly everything; null: nothing. The largest approved amount, and
 * the largest sum of a month, rounded up to what a person would write. Pure.
 */
export function suggestAmounts(
  decided: readonly DecidedTransfer[],
  { timeZone, maximumInCents: allowedInCents }: Setting,
): SuggestedAmounts | null {
  const approved = decided.filter(({ isApproved }) => isApproved);
  if (decided.length < MINIMUM_DECIDED || decided.length - approved.length > MAXIMUM_DENIED) return null;
  const largest = roundedUp(Math.max(...approved.map(({ amountInCents }) => amountInCents)));
  const maximumInCents = Math.min(largest, allowedInCents ?? largest);
  const covered = decided.filter(({ amountInCents }) => amountInCents <= maximumInCents);
  const months = new Map<string, number>();
  for (const { isApproved, amountInCents, decidedAt } of covered) {
    if (!isApproved) continue;
    const month = calendarDate(decidedAt, timeZone).slice(0, 7);
    months.set(month, (months.get(month) ?? 0) + amountInCents);
  }
  return {
    maximumInCents,
    monthInCents: Math.max(maximumInCents, roundedUp(Math.max(0, ...months.values()))),
    approvedCount: covered.filter(({ isApproved }) => isApproved).length,
    decidedCount: covered.length,
  };
}

/** `$312.40` becomes `$350.00`: to the next half of its first digit's place. */
function roundedUp(cents: number): number {
  const step = Math.max(100, 10 ** Math.floor(Math.log10(Math.max(1, cents))) / 2);
  return Math.ceil(cents / step) * step;
}
