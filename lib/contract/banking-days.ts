/**
 * The Federal Reserve's calendar: the days on which banks settle ACH, in America/New_York whatever the zone of the
 * process. Calendar dates are `YYYY-MM-DD` strings, never `Date` objects: a `Date` at midnight is another day
 * elsewhere.
 * Holidays are computed by rule, so no list runs out. The rules are those in force since 2022.
 */
const BANKING_TIME_ZONE = "America/New_York";

/** Settlement takes days, schedules span years: more steps than this are an error in the caller. */
const MAX_BANKING_DAYS_AHEAD = 2_600;
/**
 * Longer than any run of closed days (a weekend and two holidays); a broken rule becomes an error instead of a hang.
 */
const MAX_CLOSED_DAYS_IN_A_ROW = 7;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** Juneteenth became a federal holiday on 17 June 2021; the Reserve Banks first closed for it in 2022. */
const FIRST_JUNETEENTH_CLOSED = 2022;

interface CalendarDay {
  year: number;
  month: number;
  day: number;
  /** 0 = Sunday. */
  weekday: number;
}

/**
 * Whether the Federal Reserve is open on this date.
 * @throws RangeError when `date` is not a real `YYYY-MM-DD` date
 */
export function isBankingDay(date: string): boolean {
  const calendarDay = parseDate(date);
  if (calendarDay.weekday === SUNDAY || calendarDay.weekday === SATURDAY) return false;
  return holidayOn(calendarDay) === null;
}

/** The holiday that closes the banks on this date (also as observed on a Monday), or null. Weekends are not holidays. */
export function bankHolidayOn(date: string): string | null {
  const calendarDay = parseDate(date);
  return calendarDay.weekday === SATURDAY || calendarDay.weekday === SUNDAY ? null : holidayOn(calendarDay);
}

/** The first banking day after `date`, never `date` itself. */
export function nextBankingDay(date: string): string {
  return closestBankingDay(date, 1);
}

/** The last banking day before `date`, never `date` itself. */
export function previousBankingDay(date: string): string {
  return closestBankingDay(date, -1);
}

/**
 * The banking day that is `count` banking days after `from`. As banks count, a closed day counts as the next banking
 * day: 0 from a Saturday is Monday, and 1 is Tuesday.
 * @param from an instant (its date in New York counts) or a calendar date
 * @param count 0 to 2,600
 */
export function addBankingDays(from: Date | string, count: number): string {
  if (!Number.isInteger(count) || count < 0 || count > MAX_BANKING_DAYS_AHEAD) {
    throw new RangeError(`count must be an integer from 0 to ${MAX_BANKING_DAYS_AHEAD}, not ${count}`);
  }
  const start = typeof from === "string" ? from : bankingDateOf(from);
  let date = isBankingDay(start) ? start : nextBankingDay(start);
  for (let step = 0; step < count; step += 1) date = nextBankingDay(date);
  return date;
}

/** The calendar date in New York at this instant. */
export function bankingDateOf(instant: Date): string {
  return newYorkWallTime(instant).slice(0, 10);
}

/** Bookings after this time in New York belong to the next banking day. */
const END_OF_BANKING_DAY = "17:00";

/**
 * The banking day that a moment belongs to: the same date until the evening of a banking day, otherwise the next one.
 * Never before the moment's own date, in New York or in UTC.
 */
export function bankingDayAt(instant: Date): string {
  const minute = Math.floor(instant.getTime() / MINUTE_MS);
  if (minute !== lastAnswer.minute) lastAnswer = { minute, day: findBankingDay(instant) };
  return lastAnswer.day;
}

/** Every transfer asks for its day, which changes at most with the minute. */
let lastAnswer = { minute: Number.NaN, day: "" };

function findBankingDay(instant: Date): string {
  const date = bankingDateOf(instant);
  if (!isBankingDay(date)) return nextBankingDay(date);
  return bankingTimeOf(instant) < END_OF_BANKING_DAY ? date : nextBankingDay(date);
}

/** The time of day in New York at this instant, `HH:MM` (24 hours). */
export function bankingTimeOf(instant: Date): string {
  return newYorkWallTime(instant).slice(11);
}

/**
 * The instant at which clocks in New York show `time` (`HH:MM`) on `date`. In the hour that autumn repeats, the first
 * of the two; a time that spring skips counts as many minutes after the gap (02:30 → 03:30).
 */
export function bankingInstant(date: string, time: string): Date {
  parseDate(date);
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) throw new RangeError(`time must be HH:MM, not ${time}`);
  const asIfUtc = Date.parse(`${date}T${time}:00Z`);
  const duringDaylightTime = new Date(asIfUtc + 4 * HOUR_MS);
  if (newYorkWallTime(duringDaylightTime) === `${date}T${time}`) return duringDaylightTime;
  return new Date(asIfUtc + 5 * HOUR_MS);
}

function closestBankingDay(date: string, direction: 1 | -1): string {
  const start = epochOf(date);
  for (let days = 1; days <= MAX_CLOSED_DAYS_IN_A_ROW; days += 1) {
    const candidate = dateAt(start + direction * days * DAY_MS);
    if (isBankingDay(candidate)) return candidate;
  }
  throw new Error(`No banking day within ${MAX_CLOSED_DAYS_IN_A_ROW} days of ${date}`);
}

/**
 * A holiday with a fixed date on a Sunday is observed on Monday. One on a Saturday is not moved: the Reserve Banks
 * are open on Friday, although federal offices are closed.
 */
function holidayOn(calendarDay: CalendarDay): string | null {
  const byWeekday = weekdayHoliday(calendarDay);
  if (byWeekday) return byWeekday;
  const byDate = dateHoliday(calendarDay);
  if (byDate) return byDate;
  if (calendarDay.weekday !== MONDAY) return null;
  return dateHoliday({ ...calendarDay, day: calendarDay.day - 1, weekday: SUNDAY });
}

/**
 * Of these, only New Year's Day is on the first of a month, and its Monday is 2 January: `day - 1` stays in its
 * month.
 */
function dateHoliday({ year, month, day }: CalendarDay): string | null {
  if (month === 1 && day === 1) return "New Year\u2019s Day";
  if (month === 6 && day === 19 && year >= FIRST_JUNETEENTH_CLOSED) return "Juneteenth";
  if (month === 7 && day === 4) return "Independence Day";
  if (month === 11 && day === 11) return "Veterans Day";
  if (month === 12 && day === 25) return "Christmas Day";
  return null;
}

function weekdayHoliday({ month, day, weekday }: CalendarDay): string | null {
  const week = Math.ceil(day / 7);
  if (weekday === THURSDAY && month === 11 && week === 4) return "Thanksgiving";
  if (weekday !== MONDAY) return null;
  if (month === 1 && week === 3) return "Martin Luther King Jr. Day";
  if (month === 2 && week === 3) return "Presidents\u2019 Day";
  if (month === 5 && day > 24) return "Memorial Day";
  if (month === 9 && week === 1) return "Labor Day";
  if (month === 10 && week === 2) return "Columbus Day";
  return null;
}

function parseDate(date: string): CalendarDay {
  const instant = new Date(epochOf(date));
  return {
    year: instant.getUTCFullYear(),
    month: instant.getUTCMonth() + 1,
    day: instant.getUTCDate(),
    weekday: instant.getUTCDay(),
  };
}

/** Midnight UTC represents the calendar date in all arithmetic here: UTC has no daylight saving time. */
function epochOf(date: string): number {
  const epoch = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // `Date.parse` reads 2026-02-30 as 2 March; the round trip catches it.
  if (Number.isNaN(epoch) || dateAt(epoch) !== date) {
    throw new RangeError(`date must be a real YYYY-MM-DD date, not ${JSON.stringify(date)}`);
  }
  return epoch;
}

function dateAt(epoch: number): string {
  return new Date(epoch).toISOString().slice(0, 10);
}

const newYorkFormat = new Intl.DateTimeFormat("en-US", {
  timeZone: BANKING_TIME_ZONE,
  calendar: "gregory",
  numberingSystem: "latn",
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});

let lastMinute = Number.NaN;
let lastWallTime = "";

/** `YYYY-MM-DDTHH:MM` as clocks in New York show it. Most calls are about the current minute, so that is kept. */
function newYorkWallTime(instant: Date): string {
  const minute = Math.floor(instant.getTime() / MINUTE_MS);
  if (minute !== lastMinute) {
    lastWallTime = formatWallTime(instant);
    lastMinute = minute;
  }
  return lastWallTime;
}

/** Built from named parts, since a locale's order may change. */
function formatWallTime(instant: Date): string {
  const parts = new Map(newYorkFormat.formatToParts(instant).map(({ type, value }) => [type, value]));
  const year = (parts.get("year") ?? "").padStart(4, "0");
  return `${year}-${parts.get("month")}-${parts.get("day")}T${parts.get("hour")}:${parts.get("minute")}`;
}
