import { isBankingDay } from "@/lib/contract/banking-days";
import { type CronTimes, parseCron } from "@/lib/contract/rules/cron";
import type { RuleSchedule } from "@/lib/contract/rules/trigger";
import { dateOf, describeDay, weekOf } from "@/lib/engine/schedule/calendar-day";
import { dayAt } from "@/lib/engine/schedule/wall-clock";

/** The calendar days and local times at which a schedule runs. */
export interface RunDays {
  runsOn: (day: number) => boolean;
  /** Ascending. */
  minutesOfDay: readonly number[];
}

/** The longest run of closed days: a weekend and two holidays. */
const MAXIMUM_CLOSED_DAYS = 7;

/**
 * Several days that move to the same banking day run there only once.
 *
 * Source: docs/behavior/rules.md, "Schedules".
 */
export function runDays(schedule: RuleSchedule): RunDays {
  const cron = schedule.cron === null ? null : parseCron(schedule.cron);
  const isNamed = recently(namedDays(schedule, cron));
  const minutesOfDay = cron?.minutesOfDay ?? [toMinutes(schedule.time)];
  const { onNonBankingDay } = schedule;
  if (onNonBankingDay === "SAME_DAY") return { runsOn: isNamed, minutesOfDay };
  // Runs moved to the next banking day come from the closed days before it.
  const towardsOrigin = onNonBankingDay === "NEXT_BANKING_DAY" ? -1 : 1;
  return { runsOn: recently((day) => isNamedWithClosed(day, towardsOrigin, isNamed)), minutesOfDay };
}

/** More than the days around one day that are asked for it. */
const DAYS_KEPT = 32;

/** Keeps the latest answers: each day is asked for itself, as the day before the next, and near closed days. */
function recently(runsOn: (day: number) => boolean): (day: number) => boolean {
  const kept = Array.from({ length: DAYS_KEPT }, () => ({ day: Number.NaN, answer: false }));
  return (day) => {
    const place = kept[((day % DAYS_KEPT) + DAYS_KEPT) % DAYS_KEPT];
    if (!place) return runsOn(day);
    if (place.day !== day) {
      place.answer = runsOn(day);
      place.day = day;
    }
    return place.answer;
  };
}

function isNamedWithClosed(day: number, towardsOrigin: 1 | -1, isNamed: (day: number) => boolean): boolean {
  // First, because most days are near none of the schedule's own, and the banks' calendar is slow.
  if (!isNearNamed(day, towardsOrigin, isNamed) || !isBankingDay(dateOf(day))) return false;
  if (isNamed(day)) return true;
  for (let distance = 1; distance <= MAXIMUM_CLOSED_DAYS; distance += 1) {
    const origin = day + towardsOrigin * distance;
    if (isBankingDay(dateOf(origin))) return false;
    if (isNamed(origin)) return true;
  }
  return false;
}

function isNearNamed(day: number, towardsOrigin: 1 | -1, isNamed: (day: number) => boolean): boolean {
  for (let distance = 0; distance <= MAXIMUM_CLOSED_DAYS; distance += 1) {
    if (isNamed(day + towardsOrigin * distance)) return true;
  }
  return false;
}

/** The schedule's own days, before any move to a banking day. */
function namedDays(schedule: RuleSchedule, cron: CronTimes | null): (day: number) => boolean {
  switch (schedule.frequency) {
    // The first of these is the only run (occurrences.ts).
    case "ONE_TIME":
    case "DAILY":
      return () => true;
    case "WEEKLY":
      return (day) => describeDay(day).dayOfWeek === schedule.dayOfWeek;
    case "EVERY_OTHER_WEEK": {
      const firstWeek = weekOf(dayAt(Date.parse(schedule.startAt), schedule.timeZone));
      return (day) =>
        describeDay(day).dayOfWeek === schedule.dayOfWeek && (weekOf(day) - firstWeek) % 2 === 0;
    }
    case "TWICE_A_MONTH":
    case "MONTHLY":
      return (day) => isOneOf(schedule.daysOfMonth ?? [], day);
    case "CRON":
      return (day) => cron !== null && isInCron(cron, day);
  }
}

/** A day that a month lacks is its last day: a payment on the 31st is due in February too. */
function isOneOf(daysOfMonth: readonly number[], day: number): boolean {
  const { dayOfMonth, lastOfMonth } = describeDay(day);
  return daysOfMonth.some(
    (wanted) => dayOfMonth === (wanted === -1 ? lastOfMonth : Math.min(wanted, lastOfMonth)),
  );
}

/** As in crontab(5), a month without this day is skipped. */
function isInCron(cron: CronTimes, day: number): boolean {
  const { month, dayOfMonth, dayOfWeek } = describeDay(day);
  if (!cron.months.has(month)) return false;
  const isInMonth = cron.daysOfMonth.has(dayOfMonth);
  const isInWeek = cron.daysOfWeek.has(dayOfWeek % 7);
  return cron.isEitherDay ? isInMonth || isInWeek : isInMonth && isInWeek;
}

function toMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
