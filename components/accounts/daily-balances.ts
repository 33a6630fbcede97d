import { formatDay } from "@/components/time/format-instant";
import type { BalancePoint } from "@/lib/contract/views/account-page-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** The last balance of each day of the reader's zone on which there is one, newest first. */
export function dailyBalances(points: readonly BalancePoint[], time: TimeContext): BalancePoint[] {
  const byDay = new Map(points.map((point) => [formatDay(point.at, time), point]));
  return [...byDay.values()].reverse();
}
