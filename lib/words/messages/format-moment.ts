/**
 * `Sat 21 Nov, 08:40` in `timeZone` (an IANA name; an unknown one is a RangeError). Built from parts: locales change
 * their commas and spaces between versions, and an SMS must stay ASCII.
 */
export function formatMoment(instant: Date, timeZone: string): string {
  const { weekday, day, month, hour, minute } = partsOf(instant, timeZone);
  return `${weekday} ${day} ${month}, ${hour}:${minute}`;
}

/** `Sat 08:40`: for a deadline less than a week away. */
export function formatWeekdayTime(instant: Date, timeZone: string): string {
  const { weekday, hour, minute } = partsOf(instant, timeZone);
  return `${weekday} ${hour}:${minute}`;
}

function partsOf(instant: Date, timeZone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  return {
    weekday: part("weekday"),
    day: part("day"),
    month: part("month"),
    hour: part("hour"),
    minute: part("minute"),
  };
}
