import { dateOf, dayOf } from "@/lib/engine/schedule/calendar-day";
import { instantsOn } from "@/lib/engine/schedule/wall-clock";

const CALENDAR_DATE = /^(19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}$/;

/** Whether it is a date like `2026-11-20`, of a day that exists, in the years 1970 to 9999. */
export function isCalendarDate(value: unknown): value is string {
  if (typeof value !== "string" || !CALENDAR_DATE.test(value)) return false;
  const day = dayOf(value);
  return !Number.isNaN(day) && dateOf(day) === value;
}

/** The first instant of a calendar date in a zone, in milliseconds since 1970. */
export const beginningOf = (date: string, timeZone: string): number => beginningOfDay(dayOf(date), timeZone);

/** The last instant of a calendar date in a zone, in milliseconds since 1970. */
export const endOf = (date: string, timeZone: string): number =>
  beginningOfDay(dayOf(date) + 1, timeZone) - 1;

/** Islands that changed the date line skipped a day: it begins with the next one. */
function beginningOfDay(day: number, timeZone: string): number {
  const atMidnight = { runsOn: () => true, minutesOfDay: [0] };
  const [beginning] = [
    ...instantsOn(day, atMidnight, timeZone),
    ...instantsOn(day + 1, atMidnight, timeZone),
  ];
  if (beginning === undefined) throw new RangeError(`There is no day ${day} in ${timeZone}`);
  return beginning;
}
