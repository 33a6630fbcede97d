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

export function describeDay(day: number): CalendarDay {
  const midnight = new Date(day * DAY_MS);
  const month = midnight.getUTCMonth() + 1;
  const lastOfMonth = new Date(Date.UTC(midnight.getUTCFullYear(), month, 0)).getUTCDate();
  const dayOfWeek = ((((day + WEEKDAY_OF_DAY_0 - 1) % 7) + 7) % 7) + 1;
  return { month, dayOfMonth: midnight.getUTCDate(), lastOfMonth, dayOfWeek };
}

/** Weeks start on Monday; the week of 5 January 1970 is 0. */
export function weekOf(day: number): number {
  return Math.floor((day + WEEKDAY_OF_DAY_0 - 1) / 7) - 1;
}
