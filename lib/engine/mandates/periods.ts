import type { MandatePeriod } from "@/lib/contract/mandates/mandate";
import { describeDay } from "@/lib/engine/schedule/calendar-day";
import { instantsOn } from "@/lib/engine/schedule/wall-clock";

/** Rolling, by the clock and not by the calendar. */
export const THIRTY_DAYS_MS = 30 * 86_400_000;

/** The first day of the period that a day is in; weeks begin on Monday. */
export function firstDayOf(period: MandatePeriod, day: number): number {
  switch (period) {
    case "DAY":
      return day;
    case "WEEK":
      return day - describeDay(day).dayOfWeek + 1;
    case "MONTH":
      return day - describeDay(day).dayOfMonth + 1;
  }
}

/** The first moment of a day, in milliseconds; of a day that a zone left out, of the next. */
export function firstMomentOf(day: number, timeZone: string): number {
  const [first] = instantsOn(day, { runsOn: () => true, minutesOfDay: [0] }, timeZone);
  return first ?? firstMomentOf(day + 1, timeZone);
}
