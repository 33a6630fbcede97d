import type { TimeContext } from "@/lib/contract/time-context";
import {
  type LocalParts,
  localParts,
  writeClock,
  writeDay,
  writeWeekday,
  zoneName,
} from "@/lib/contract/write-date";

/**
 * An instant near now: `Today, 11:26 AM`, `Thu, Nov 19, 4:40 PM`, and `Aug 3, 2025` in another year; for other readers
 * `Thu 19 Nov, 16:40`. Days and years are those of the reader's zone, which is named if the organization's clock differs.
 */
export function formatMoment(at: string, time: TimeContext): string {
  const { day, clock } = momentParts(at, time);
  return clock === null ? day : `${day}, ${clock}`;
}

/** The same after a word: `settled today, 11:26 AM`, `settled Thu, Nov 19, 4:40 PM`. */
export function formatAfterWord(at: string, time: TimeContext): string {
  return formatMoment(at, time).replace(/^Today/, "today");
}

/** The same, always with the day, for deadlines and history: `Sat, Nov 21, 8:40 AM`. */
export function formatWeekdayMoment(at: string, time: TimeContext): string {
  const then = partsOf(at, time);
  return `${writeWeekday(then.weekday, withoutYear(then))}, ${clockOf(then, at, time)}`;
}

/** For long-lived facts: `Aug 3, 2026`. */
export function formatDay(at: string, time: TimeContext): string {
  return writeDay(partsOf(at, time));
}

/** For print: `Aug 3, 2026, 4:40 PM`. */
export function formatDayAndClock(at: string, time: TimeContext): string {
  const then = partsOf(at, time);
  return `${writeDay(then)}, ${clockOf(then, at, time)}`;
}

/** A day, with its year if it is not this one: `Oct 14`, `Oct 14, 2025`. */
export function formatShortDay(at: string, time: TimeContext): string {
  const then = partsOf(at, time);
  return writeDay(then.year === partsOf(time.nowAt, time).year ? withoutYear(then) : then);
}

/** A calendar date without a time zone: `2026-11-25` becomes `Nov 25`. */
export function formatDate(date: string, time: TimeContext): string {
  return formatShortDay(`${date}T12:00:00Z`, { nowAt: time.nowAt, locale: time.locale, timeZone: "UTC" });
}

/** Just the time: `11:27 AM`. */
export function formatClock(at: string, time: TimeContext): string {
  return clockOf(partsOf(at, time), at, time);
}

/** With seconds, mostly for today: `11:27:05 AM`, and `Thu, Nov 19, 4:40:12 PM` on other days. */
export function formatToSecond(at: string, time: TimeContext): string {
  const { day, isToday, isThisYear, then } = momentParts(at, time);
  if (!isThisYear) return day;
  const clock = clockOf(then, at, time, then.second);
  return isToday ? clock : `${day}, ${clock}`;
}

/** The full stamp for `title`: `2026-11-20 16:26:02 UTC`. */
export function formatUtcStamp(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** An instant in the middle of a sentence: `today at 11:26 AM`, `on Thu, Nov 19 at 4:40 PM`, `on Aug 3, 2025`. */
export function formatInSentence(at: string, time: TimeContext): string {
  const { day, clock, isToday } = momentParts(at, time);
  const when = isToday ? "today" : `on ${day}`;
  return clock === null ? when : `${when} at ${clock}`;
}

/** The same, always with the day: `on Sat, Nov 21 at 8:40 AM`. */
export function formatDeadlineInSentence(at: string, time: TimeContext): string {
  const then = partsOf(at, time);
  return `on ${writeWeekday(then.weekday, withoutYear(then))} at ${clockOf(then, at, time)}`;
}

/** An instant in a narrow column: `11:24 AM` today, `Thu, Nov 19`, `Aug 3, 2025` in another year. */
export function formatListMoment(at: string, time: TimeContext): string {
  const { day, clock, isToday } = momentParts(at, time);
  return isToday && clock !== null ? clock : day;
}

/** Whether it is today for the reader. */
export function isToday(at: string, time: TimeContext): boolean {
  return momentParts(at, time).isToday;
}

/**
 * In a schedule's zone, so that its times agree with its sentence; named if the reader's clock differs. Null: no
 * schedule, so in the reader's.
 */
export function inZone(time: TimeContext, zone: string | null): TimeContext {
  if (zone === null) return time;
  const { nowAt, locale, timeZone, viewerTimeZone } = time;
  return { nowAt, locale, timeZone: viewerTimeZone ?? timeZone, viewerTimeZone: zone };
}

/** In the organization's zone: its days, and what is computed by them. */
export function inOrganization({ nowAt, locale, timeZone }: TimeContext): TimeContext {
  return { nowAt, locale, timeZone };
}

interface MomentParts {
  day: string;
  /** Null in another year: the time of day no longer matters. */
  clock: string | null;
  isToday: boolean;
  isThisYear: boolean;
  then: LocalParts;
}

function momentParts(at: string, time: TimeContext): MomentParts {
  const then = partsOf(at, time);
  const now = partsOf(time.nowAt, time);
  const isThisYear = then.year === now.year;
  const isToday = isThisYear && then.month === now.month && then.day === now.day;
  if (!isThisYear) return { day: writeDay(then), clock: null, isToday, isThisYear, then };
  const day = isToday ? "Today" : writeWeekday(then.weekday, withoutYear(then));
  return { day, clock: clockOf(then, at, time), isToday, isThisYear, then };
}

const withoutYear = ({ day, month }: LocalParts) => ({ day, month });

/** The time of day, with the zone where the organization's clock shows another one. */
function clockOf(
  { hour, minute, day }: LocalParts,
  at: string,
  { timeZone, viewerTimeZone, ...time }: TimeContext,
  second?: number,
): string {
  const clock = writeClock({ hour, minute, ...(second !== undefined && { second }) });
  if (!viewerTimeZone || viewerTimeZone === timeZone) return clock;
  const there = partsOf(at, { ...time, timeZone });
  if (there.hour === hour && there.minute === minute && there.day === day) return clock;
  return `${clock} ${zoneName(new Date(at), viewerTimeZone)}`;
}

function partsOf(at: string, { timeZone, viewerTimeZone }: TimeContext) {
  return localParts(new Date(at), viewerTimeZone ?? timeZone);
}
