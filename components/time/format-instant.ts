import type { TimeContext } from "@/lib/contract/views/time-context";

const NO_BREAK_SPACE = "\u00a0";

interface LocalParts {
  weekday: string;
  day: string;
  month: string;
  year: string;
  clock: string;
}

/**
 * An instant near now: `Today, 11:26`, `Thu 19 Nov, 16:40`, and `3 Aug 2025` in another year.
 * Days and years are those of the viewer's zone.
 */
export function formatMoment(at: string, time: TimeContext): string {
  const then = localParts(at, time);
  const now = localParts(time.nowAt, time);
  if (then.year !== now.year) return longDay(then);
  if (then.month === now.month && then.day === now.day) return `Today, ${then.clock}`;
  return `${then.weekday} ${then.day}${NO_BREAK_SPACE}${then.month}, ${then.clock}`;
}

/** The same, always with the day, for deadlines and history: `Sat 21 Nov, 08:40`. */
export function formatWeekdayMoment(at: string, time: TimeContext): string {
  const then = localParts(at, time);
  return `${then.weekday} ${then.day}${NO_BREAK_SPACE}${then.month}, ${then.clock}`;
}

/** For long-lived facts: `3 Aug 2026`. */
export function formatDay(at: string, time: TimeContext): string {
  return longDay(localParts(at, time));
}

/** For print: `3 Aug 2026, 16:40`. */
export function formatDayAndClock(at: string, time: TimeContext): string {
  const then = localParts(at, time);
  return `${longDay(then)}, ${then.clock}`;
}

/** A day, with its year if it is not this one: `14 Oct`, `14 Oct 2025`. */
export function formatShortDay(at: string, time: TimeContext): string {
  const then = localParts(at, time);
  return then.year === localParts(time.nowAt, time).year ? shortDay(then) : longDay(then);
}

/** A calendar date without a time zone: `2026-11-25` becomes `25 Nov`. */
export function formatDate(date: string, time: TimeContext): string {
  return formatShortDay(`${date}T12:00:00Z`, inZone(time, "UTC"));
}

/** Just the time: `11:27`. */
export function formatClock(at: string, time: TimeContext): string {
  return localParts(at, time).clock;
}

/** With seconds, mostly for today: `11:27:05`, and `Thu 19 Nov, 16:40:12` on other days. */
export function formatToSecond(at: string, time: TimeContext): string {
  const seconds = `:${at.slice(17, 19)}`;
  const [day, clock] = formatMoment(at, time).split(", ");
  if (day === "Today") return `${clock}${seconds}`;
  return clock === undefined ? formatMoment(at, time) : `${day}, ${clock}${seconds}`;
}

/** The full stamp for `title`: `2026-11-20 16:26:02 UTC`. */
export function formatUtcStamp(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function longDay(parts: LocalParts): string {
  return `${shortDay(parts)}${NO_BREAK_SPACE}${parts.year}`;
}

function shortDay(parts: LocalParts): string {
  return `${parts.day}${NO_BREAK_SPACE}${parts.month}`;
}

/** The context for a zone other than the viewer's, e.g. a schedule's. */
export function inZone({ nowAt, locale }: TimeContext, timeZone: string): TimeContext {
  return { nowAt, locale, timeZone };
}

function localParts(at: string, { timeZone, viewerTimeZone, locale }: TimeContext): LocalParts {
  const formatter = new Intl.DateTimeFormat(locale, {
    timeZone: viewerTimeZone ?? timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = new Map(formatter.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  return {
    weekday: part("weekday"),
    day: part("day"),
    month: part("month"),
    year: part("year"),
    clock: `${part("hour")}:${part("minute")}`,
  };
}

/** An instant in the middle of a sentence: `today at 11:26`, `on Thu 19 Nov at 16:40`, `on 3 Aug 2025`. */
export function formatInSentence(at: string, time: TimeContext): string {
  const [day, clock] = formatMoment(at, time).split(", ");
  const when = day === "Today" ? "today" : `on ${day}`;
  return clock === undefined ? when : `${when} at ${clock}`;
}

/** An instant in a narrow column: `11:24` today, `Thu 19 Nov`, `3 Aug 2025` in another year. */
export function formatListMoment(at: string, time: TimeContext): string {
  const [day = "", clock] = formatMoment(at, time).split(", ");
  return day === "Today" && clock !== undefined ? clock : day;
}
