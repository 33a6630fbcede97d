import type { BalanceHistory, BalancePoint, HistoryDays } from "@/lib/contract/views/account-page-view";

/** What was booked within one span of the range, all of it together. */
export interface BookedSpan {
  /** 0 is the span that begins with the range. */
  index: number;
  netInCents: number;
}

/** At most this many steps: more than one per pixel says nothing. */
const SPANS = 360;
const DAY_MS = 86_400_000;

/** Where a range of so many days begins, and how long its spans are. */
export function historyRange(days: HistoryDays, now: Date): { from: Date; spanMs: number } {
  const rangeMs = days * DAY_MS;
  return { from: new Date(now.getTime() - rangeMs), spanMs: rangeMs / SPANS };
}

/**
 * The balance over the last days, reckoned backwards from what it is now by what was booked since. Pure.
 * @param spans those in which something was booked, in order
 */
export function buildBalanceHistory(
  days: HistoryDays,
  now: Date,
  balanceNowInCents: number,
  spans: readonly BookedSpan[],
): BalanceHistory {
  const { from, spanMs } = historyRange(days, now);
  const booked = spans.reduce((sum, span) => sum + span.netInCents, 0);
  let balanceInCents = balanceNowInCents - booked;
  const points: BalancePoint[] = [{ at: from.toISOString(), balanceInCents }];
  for (const span of spans) {
    balanceInCents += span.netInCents;
    // The end of the span: from then on, at the latest, the balance is what the point says.
    const at = Math.min(from.getTime() + (span.index + 1) * spanMs, now.getTime());
    points.push({ at: new Date(at).toISOString(), balanceInCents });
  }
  points.push({ at: now.toISOString(), balanceInCents: balanceNowInCents });
  return { days, points };
}
