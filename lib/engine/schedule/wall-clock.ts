import { calendarDate, dayOf, midnightOf } from "@/lib/engine/schedule/calendar-day";

/** Converts between instants and a time zone's wall clock. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** UTC offsets range from −12:00 to +14:00. */
const MOST_AHEAD_MS = 14 * HOUR_MS;
const MOST_BEHIND_MS = 12 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formatters are expensive to create and few: one per time zone in use. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAXIMUM_FORMATS = 500;

/** The calendar day of a moment in the zone. */
export function dayAt(instant: number, timeZone: string): number {
  return dayOf(calendarDate(new Date(instant), timeZone));
}

/**
 * The moments of one local day at which something with these days and times runs: in order, each once. A time that clocks
 * skip is the same number of minutes after the gap (02:30 → 03:30), on the day that they show then; one that they show
 * twice is the first of the two.
 * @param minutesOfDay ascending
 * @returns milliseconds since 1970
 */
export function instantsOn(
  day: number,
  { runsOn, minutesOfDay }: { runsOn: (day: number) => boolean; minutesOfDay: readonly number[] },
  timeZone: string,
): number[] {
  const isSpilling = runsOn(day - 1) && steadyOffset(day - 1, timeZone) === null;
  if (!isSpilling && !runsOn(day)) return [];
  const offset = isSpilling ? null : steadyOffset(day, timeZone);
  if (offset !== null) return minutesOfDay.map((minutes) => midnightOf(day) + minutes * MINUTE_MS - offset);
  const named = [day - 1, day]
    .filter(runsOn)
    .flatMap((each) => minutesOfDay.map((minutes) => midnightOf(each) + minutes * MINUTE_MS));
  const instants = new Set(named.map((asIfUtc) => instantShowing(asIfUtc, timeZone)));
  // Clocks may change at the end of a day: times skipped then belong to the next day.
  return [...instants]
    .filter((instant) => dayAt(instant, timeZone) === day)
    .sort((left, right) => left - right);
}

/** The UTC offset of the whole day, in milliseconds; null if it changes during the day. */
function steadyOffset(day: number, timeZone: string): number | null {
  const before = offsetAt(midnightOf(day) - MOST_AHEAD_MS, timeZone);
  const after = offsetAt(midnightOf(day) + DAY_MS + MOST_BEHIND_MS, timeZone);
  return before === after ? before : null;
}

/** @param asIfUtc the wall-clock time, as if it were UTC */
function instantShowing(asIfUtc: number, timeZone: string): number {
  const before = asIfUtc - offsetAt(asIfUtc - MOST_AHEAD_MS, timeZone);
  const after = asIfUtc - offsetAt(asIfUtc + MOST_BEHIND_MS, timeZone);
  const shows = (instant: number) => instant + offsetAt(instant, timeZone) === asIfUtc;
  const [first] = [before, after].filter(shows).sort((left, right) => left - right);
  // Neither: the time is skipped. The offset before the gap puts it equally long after the gap.
  return first ?? before;
}

function offsetAt(instant: number, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const shown = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  // Clocks show whole seconds.
  return shown - Math.floor(instant / 1_000) * 1_000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  if (formats.size >= MAXIMUM_FORMATS) formats.clear();
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}

/**
 * The first moment of a calendar day in a time zone, even if clocks skip midnight.
 * @param date `YYYY-MM-DD`
 */
export function startOfDay(date: string, timeZone: string): Date {
  const [first] = instantsOn(dayOf(date), { runsOn: () => true, minutesOfDay: [0] }, timeZone);
  if (first === undefined) throw new RangeError(`There is no midnight on ${date} in ${timeZone}`);
  return new Date(first);
}
