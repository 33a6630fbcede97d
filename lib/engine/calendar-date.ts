/** Formatters are dear to make and few: one a time zone that is in use. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAXIMUM_FORMATS = 500;

/** The calendar date, `YYYY-MM-DD`, that a moment has in a time zone. */
export function calendarDate(at: Date, timeZone: string): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${(parts.get("year") ?? "").padStart(4, "0")}-${parts.get("month")}-${parts.get("day")}`;
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
