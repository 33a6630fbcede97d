import { PLAIN_DATES } from "@/lib/contract/reader";
import { localParts, writeClock, writeWeekday, zoneName } from "@/lib/contract/write-date";

/** A message is read anywhere and stored: one form for all, ordinary spaces (an SMS must stay ASCII), the zone named. */
const AS = { form: PLAIN_DATES, space: " " };

/** `Sat, Nov 21, 8:40 AM EST` in `timeZone` (an IANA name; an unknown one is a RangeError). */
export function formatMoment(instant: Date, timeZone: string): string {
  const { weekday, day, month, hour, minute } = localParts(instant, timeZone);
  const clock = writeClock({ hour, minute }, AS);
  return `${writeWeekday(weekday, { day, month }, AS)}, ${clock} ${zoneName(instant, timeZone)}`;
}

/** `Sat 8:40 AM EST`: for a deadline less than a week away. */
export function formatWeekdayTime(instant: Date, timeZone: string): string {
  const { weekday, hour, minute } = localParts(instant, timeZone);
  return `${weekday} ${writeClock({ hour, minute }, AS)} ${zoneName(instant, timeZone)}`;
}

/** `November 16`. @param date `2026-11-16` */
export function formatDate(date: string): string {
  return new Intl.DateTimeFormat("en-US", { timeZone: "UTC", day: "numeric", month: "long" }).format(
    new Date(`${date}T12:00:00Z`),
  );
}
