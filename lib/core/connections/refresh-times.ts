import { addBankingDays, bankingDateOf, bankingInstant, nextBankingDay } from "@/lib/contract/banking-days";

const MINUTE_MS = 60_000;
/** Institutions post overnight; before people look at their balances. New York time. */
const FIRST_REFRESH = "05:00";
const SPREAD_MINUTES = 90;
const RETRY_MINUTES = [1, 5, 30, 120, 360];
/** From this failure on, the balances of a connection that does not answer count as unknown. */
export const FAILURES_UNTIL_UNKNOWN = 4;

/**
 * When a connection is refreshed next after a success: early on the next banking day, at a minute of its own, so that
 * thousands of them do not ask at once.
 */
export function nextRefreshAt(connectionId: string, now: Date): Date {
  const today = bankingDateOf(now);
  const minute = Number.parseInt(connectionId.slice(-4), 16) % SPREAD_MINUTES;
  const on = (date: string) => new Date(bankingInstant(date, FIRST_REFRESH).getTime() + minute * MINUTE_MS);
  const isToday = addBankingDays(today, 0) === today && on(today) > now;
  return on(isToday ? today : nextBankingDay(today));
}

/** When to try again after the `failures`-th failure in a row (1 or more). */
export function retryAt(failures: number, now: Date): Date {
  const minutes = RETRY_MINUTES[Math.min(failures, RETRY_MINUTES.length) - 1] ?? 1;
  return new Date(now.getTime() + minutes * MINUTE_MS);
}
