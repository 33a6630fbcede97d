/** Formatters are expensive to create and few: one per time zone in use. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAXIMUM_FORMATS = 500;

/** Before this moment some zone still shows a year before Christ, which has the same number. */
const FIRST_MOMENT = Date.parse("0001-01-03T00:00:00Z");

/**
 * The calendar date, `YYYY-MM-DD`, of a moment in a time zone. Stored moments may lie outside of years with four digits:
 * later years are written as ISO 8601 extends them, earlier moments count as the first day of year 1.
 */
export function calendarDate(at: Date, timeZone: string): string {
  if (at.getTime() < FIRST_MOMENT) return "0001-01-01";
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const year = parts.get("year") ?? "";
  const written = year.length > 4 ? `+${year.padStart(6, "0")}` : year.padStart(4, "0");
  return `${written}-${parts.get("month")}-${parts.get("day")}`;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  if (formats.size >= MAXIMUM_FORMATS) formats.clear();
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}

/**
 * Calendar days as whole numbers: days since 1 January 1970. Midnight UTC represents the day in all arithmetic, because
 * UTC has no daylight saving time.
 */
const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday. */
const WEEKDAY_OF_DAY_0 = 4;

interface CalendarDay {
  month: number;
  dayOfMonth: number;
  lastOfMonth: number;
  /** 1 (Monday) to 7. */
  dayOfWeek: number;
}

/** @param date `YYYY-MM-DD`, or with an extended year like `+010000` */
export function dayOf(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** `YYYY-MM-DD`; outside of the years 0 to 9999 with an extended year. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().replace(/T.*$/, "");
}

/** Midnight UTC of the day, in milliseconds. */
export function midnightOf(day: number): number {
  return day * DAY_MS;
}

/** In whole numbers: schedules look at thousands of days, and a `Date` for each would take most of the time. */
export function describeDay(day: number): CalendarDay {
  // Years counted from March, so that a leap day is the last of its year, in cycles of 400 years.
  const sinceCycles = day + DAYS_BEFORE_1970;
  const dayOfCycle = modulo(sinceCycles, DAYS_OF_400_YEARS);
  const yearOfCycle = Math.floor(
    (dayOfCycle -
      Math.floor(dayOfCycle / 1_460) +
      Math.floor(dayOfCycle / 36_524) -
      Math.floor(dayOfCycle / 146_096)) /
      365,
  );
  const leapDays = Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100);
  const dayOfYear = dayOfCycle - 365 * yearOfCycle - leapDays;
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  // February belongs to the year that began in March.
  const isLeap = isLeapYear(yearOfCycle + 1);
  return {
    month,
    dayOfMonth: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
    lastOfMonth: month === 2 ? (isLeap ? 29 : 28) : LONG_MONTHS.has(month) ? 31 : 30,
    dayOfWeek: modulo(day + WEEKDAY_OF_DAY_0 - 1, 7) + 1,
  };
}

/** From 1 March of the year 0. */
const DAYS_BEFORE_1970 = 719_468;
const DAYS_OF_400_YEARS = 146_097;
const LONG_MONTHS: ReadonlySet<number> = new Set([1, 3, 5, 7, 8, 10, 12]);

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** The remainder, never negative. */
function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

/** Weeks start on Monday; the week of 5 January 1970 is 0. */
export function weekOf(day: number): number {
  return Math.floor((day + WEEKDAY_OF_DAY_0 - 1) / 7) - 1;
}
