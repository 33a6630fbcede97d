import { type DateForm, dateFormOfReader } from "@/lib/contract/reader";

/** How dates and times of day are written: numbers in the reader's order, months in English. */

export interface LocalParts {
  weekday: string;
  day: number;
  month: number;
  year: number;
  hour: number;
  minute: number;
  second: number;
}

/** Formatters are expensive to create and few: one per time zone in use. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAXIMUM_FORMATS = 500;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    weekday: "short",
    day: "numeric",
    month: "numeric",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  if (formats.size >= MAXIMUM_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** A moment on the calendar and the clock of a zone. @throws RangeError for an unknown zone */
export function localParts(instant: Date, timeZone: string): LocalParts {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  return {
    weekday: parts.get("weekday") ?? "",
    day: number("day"),
    month: number("month"),
    year: number("year"),
    hour: number("hour"),
    minute: number("minute"),
    second: number("second"),
  };
}

const NO_BREAK_SPACE = "\u00a0";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

interface WrittenDay {
  day: number;
  /** 1 to 12. */
  month: number;
  /** Omitted if it goes without saying. */
  year?: number;
}

interface WrittenAs {
  form?: DateForm;
  /** Keeps the parts on one line; ordinary in text that leaves the page. */
  space?: string;
}

/** `Nov 19`, `Nov 19, 2026`; or `19 Nov`, `19 Nov 2026`. */
export function writeDay({ day, month, year }: WrittenDay, as: WrittenAs = {}): string {
  const { form = dateFormOfReader(), space = NO_BREAK_SPACE } = as;
  const name = MONTHS[month - 1] ?? "";
  if (form.order === "DAY_FIRST") return [day, name, ...(year === undefined ? [] : [year])].join(space);
  return year === undefined ? `${name}${space}${day}` : `${name}${space}${day},${space}${year}`;
}

/** With the weekday: `Thu, Nov 19`; or `Thu 19 Nov`. */
export function writeWeekday(weekday: string, day: WrittenDay, as: WrittenAs = {}): string {
  const { form = dateFormOfReader() } = as;
  return `${weekday}${form.order === "MONTH_FIRST" ? "," : ""} ${writeDay(day, as)}`;
}

interface WrittenClock {
  /** 0 to 23. */
  hour: number;
  minute: number;
  second?: number;
}

/** `4:40 PM`, `12:05:09 AM`; or `16:40`, `00:05:09`. */
export function writeClock({ hour, minute, second }: WrittenClock, as: WrittenAs = {}): string {
  const { form = dateFormOfReader(), space = NO_BREAK_SPACE } = as;
  const rest = [minute, ...(second === undefined ? [] : [second])].map(twoDigits);
  if (form.clock === "24") return [twoDigits(hour), ...rest].join(":");
  return `${[hour % 12 === 0 ? 12 : hour % 12, ...rest].join(":")}${space}${hour < 12 ? "AM" : "PM"}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

const zoneFormats = new Map<string, Intl.DateTimeFormat>();
const MAXIMUM_ZONES = 500;

/** The usual short name of a zone at this moment: `EST`, `GMT+1`. @throws RangeError for an unknown zone */
export function zoneName(at: Date, timeZone: string): string {
  let format = zoneFormats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "short" });
    if (zoneFormats.size >= MAXIMUM_ZONES) zoneFormats.clear();
    zoneFormats.set(timeZone, format);
  }
  return format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}
