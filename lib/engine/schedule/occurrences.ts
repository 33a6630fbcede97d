import type { RuleSchedule } from "@/lib/contract/rules/trigger";
import { dayOf } from "@/lib/engine/schedule/calendar-day";
import { runDays } from "@/lib/engine/schedule/run-days";
import { dayAt, instantsOn } from "@/lib/engine/schedule/wall-clock";

/**
 * The moments at which a schedule runs. Pure: no clock, no database.
 *
 * - Times are local to the schedule's zone. A time that clocks skip is the same number of minutes after the gap; one that
 *   they show twice is the first of the two.
 * - No run is before `startAt`, after any move to a banking day.
 * - `ONE_TIME` is the first `time` at or after `startAt`, moved like any other.
 * - `EVERY_OTHER_WEEK` counts from the week (Monday to Sunday) of `startAt`.
 * - A day that a month lacks is its last day, except in `CRON`, which skips it as cron does.
 * - A run moved to a banking day keeps its time; two on the same day run once.
 *
 * Source: docs/behavior/rules.md, "Schedules".
 */

/**
 * The longest gap of a schedule: 29 February on a given weekday, across a century without a leap day, recurs after 40
 * years.
 */
const MAXIMUM_QUIET_DAYS = 15_000;
/** Years have four digits, minus some days for a move to a banking day. */
const FIRST_DAY = dayOf("1900-01-10");
const LAST_DAY = dayOf("9999-12-20");

/** The first moment after `after`, or null. */
export function nextOccurrence(schedule: RuleSchedule, after: Date): Date | null {
  return upcoming(schedule, after, 1)[0] ?? null;
}

/** The last moment from `notBefore` to `atOrBefore`, both inclusive, or null. */
export function previousOccurrence(schedule: RuleSchedule, atOrBefore: Date, notBefore: Date): Date | null {
  return latestOccurrences(schedule, atOrBefore, notBefore, 1)[0] ?? null;
}

/** The first `count` moments after `after`, in order. */
export function upcoming(schedule: RuleSchedule, after: Date, count: number): Date[] {
  return take(momentsAfter(schedule, after), count, () => true);
}

/** The first `limit` moments after `after` up to and including `upTo`, in order. */
export function occurrencesBetween(schedule: RuleSchedule, after: Date, upTo: Date, limit: number): Date[] {
  return take(momentsAfter(schedule, after, upTo), limit, (moment) => moment <= upTo.getTime());
}

/** The last `limit` moments from `notBefore` to `atOrBefore`, both inclusive, latest first. */
export function latestOccurrences(
  schedule: RuleSchedule,
  atOrBefore: Date,
  notBefore: Date,
  limit: number,
): Date[] {
  const earliest = Math.max(notBefore.getTime(), Date.parse(schedule.startAt));
  return take(momentsUpTo(schedule, atOrBefore, earliest), limit, (moment) => moment >= earliest);
}

function take(moments: Iterable<number>, limit: number, isWanted: (moment: number) => boolean): Date[] {
  const taken: Date[] = [];
  if (limit <= 0) return taken;
  for (const moment of moments) {
    if (!isWanted(moment)) break;
    taken.push(new Date(moment));
    if (taken.length >= limit) break;
  }
  return taken;
}

/** @param upTo looks no further: a rare schedule would otherwise be searched for decades beyond a short period */
function* momentsAfter(
  schedule: RuleSchedule,
  after: Date,
  upTo: Date | null = null,
): Generator<number, void, undefined> {
  const startAt = Date.parse(schedule.startAt);
  if (schedule.frequency === "ONE_TIME") {
    const only = onlyMoment(schedule);
    if (only !== null && only > after.getTime()) yield only;
    return;
  }
  const from = Math.max(after.getTime() + 1, startAt);
  const days = runDays(schedule);
  if (upTo && from > upTo.getTime()) return;
  const firstDay = clampDay(dayAt(from, schedule.timeZone));
  const lastDay = upTo ? clampDay(dayAt(upTo.getTime(), schedule.timeZone)) : LAST_DAY;
  let quietDays = 0;
  for (let day = firstDay; day <= lastDay && quietDays <= MAXIMUM_QUIET_DAYS; day += 1) {
    const moments = instantsOn(day, days, schedule.timeZone).filter((moment) => moment >= from);
    quietDays = moments.length > 0 ? 0 : quietDays + 1;
    yield* moments;
  }
}

/** Latest first, back to the day of `earliest`. */
function* momentsUpTo(
  schedule: RuleSchedule,
  atOrBefore: Date,
  earliest: number,
): Generator<number, void, undefined> {
  const latest = atOrBefore.getTime();
  if (schedule.frequency === "ONE_TIME") {
    const only = onlyMoment(schedule);
    if (only !== null && only <= latest) yield only;
    return;
  }
  if (latest < earliest) return;
  const days = runDays(schedule);
  const lastDay = clampDay(dayAt(latest, schedule.timeZone));
  const firstDay = clampDay(dayAt(earliest, schedule.timeZone));
  let quietDays = 0;
  for (let day = lastDay; day >= firstDay && quietDays <= MAXIMUM_QUIET_DAYS; day -= 1) {
    const moments = instantsOn(day, days, schedule.timeZone).filter((moment) => moment <= latest);
    quietDays = moments.length > 0 ? 0 : quietDays + 1;
    yield* moments.reverse();
  }
}

/** The only run of a one-time schedule: the first moment at or after `startAt`. */
function onlyMoment(schedule: RuleSchedule): number | null {
  const daily: RuleSchedule = { ...schedule, frequency: "DAILY" };
  const justBefore = new Date(Date.parse(schedule.startAt) - 1);
  return nextOccurrence(daily, justBefore)?.getTime() ?? null;
}

function clampDay(day: number): number {
  return Math.min(Math.max(day, FIRST_DAY), LAST_DAY);
}
