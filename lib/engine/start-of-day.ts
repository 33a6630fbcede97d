import { dayOf } from "@/lib/engine/schedule/calendar-day";
import { instantsOn } from "@/lib/engine/schedule/wall-clock";

/**
 * The first moment of a calendar day in a time zone. Where the clocks skip midnight, the day begins as late as they do.
 * @param date `YYYY-MM-DD`
 */
export function startOfDay(date: string, timeZone: string): Date {
  const [first] = instantsOn(dayOf(date), { runsOn: () => true, minutesOfDay: [0] }, timeZone);
  if (first === undefined) throw new RangeError(`There is no midnight on ${date} in ${timeZone}`);
  return new Date(first);
}
