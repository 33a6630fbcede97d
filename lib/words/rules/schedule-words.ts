import { isInstantInBounds } from "@/lib/contract/input/instants";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { Phrase } from "@/lib/contract/rules/rule-parts";
import { calendarDate, dateOf, dayOf } from "@/lib/engine/schedule/calendar-day";
import {
  clockWords,
  dateWords,
  monthName,
  ordinal,
  UNREADABLE_DATE,
  weekday,
} from "@/lib/words/rules/number-words";
import { joinWords, key, say } from "@/lib/words/rules/phrases";

type Schedule = Extract<RuleDefinition["trigger"], { type: "SCHEDULED" }>["schedule"];

/** A schedule in full: "every **Friday at 5:00 PM** (New York time), from Aug 3, 2026". */
export function scheduleWords(schedule: Schedule): Phrase[] {
  const { before, when, after } = timesWords(schedule);
  const start = schedule.frequency === "ONE_TIME" ? "" : `, from ${startWords(schedule)}`;
  const zone = zoneWords(schedule.timeZone);
  return [
    say(before),
    key(when),
    say(`${after} (${zone})${shortMonthWords(schedule)}${start}${shiftWords(schedule)}`),
  ];
}

/** A rule written before instants had bounds may start in no year that can be shown. */
function startWords({ startAt, timeZone }: Schedule): string {
  return isInstantInBounds(startAt) ? dateWords(calendarDate(new Date(startAt), timeZone)) : UNREADABLE_DATE;
}

/** Just the times, for lists and drawings: `every Friday at 5:00 PM`. */
export function shortScheduleWords(schedule: Schedule): string {
  const { before, when, after } = timesWords(schedule);
  return `${before}${when}${after}`;
}

function timesWords(schedule: Schedule): { before: string; when: string; after: string } {
  const time = clockWords(schedule.time);
  const day = weekday(schedule.dayOfWeek ?? 1);
  switch (schedule.frequency) {
    case "ONE_TIME":
      return { before: "once, on ", when: `${dateWords(onlyDate(schedule))} at ${time}`, after: "" };
    case "DAILY":
      return { before: "every ", when: `day at ${time}`, after: "" };
    case "WEEKLY":
      return { before: "every ", when: `${day} at ${time}`, after: "" };
    case "EVERY_OTHER_WEEK":
      return { before: "every other ", when: `${day} at ${time}`, after: "" };
    case "TWICE_A_MONTH":
    case "MONTHLY":
      return { before: "on ", when: `${daysWords(schedule.daysOfMonth ?? [])} at ${time}`, after: "" };
    case "CRON":
      return cronWords(schedule.cron ?? "");
  }
}

/** `the 1st and the last day of each month`: the last day comes last. */
function daysWords(days: readonly number[]): string {
  const inOrder = [...days].sort((one, other) => (one === -1 ? 32 : one) - (other === -1 ? 32 : other));
  const words = inOrder.map((day) => (day === -1 ? "the last day" : `the ${ordinal(day)}`));
  return `${joinWords(words)} of each month`;
}

/** A day that a month lacks is its last day; in cron it is skipped, as cronWords states. */
function shortMonthWords({ daysOfMonth }: Schedule): string {
  return daysOfMonth?.some((day) => day > 28) ? ", in shorter months on the last day" : "";
}

function shiftWords({ onNonBankingDay }: Schedule): string {
  switch (onNonBankingDay) {
    case "SAME_DAY":
      return "";
    case "NEXT_BANKING_DAY":
      return ", or on the next banking day when banks are closed";
    case "PREVIOUS_BANKING_DAY":
      return ", or on the banking day before when banks are closed";
  }
}

/** `America/New_York` becomes `New York time`. `Etc/` zones have inverted signs, so they keep their names. */
export function zoneWords(timeZone: string): string {
  if (/^(Etc\/)?(UTC|GMT|UCT|Zulu|Universal|Greenwich)$/.test(timeZone)) return "UTC";
  const place = timeZone.split("/").at(-1) ?? timeZone;
  if (timeZone.startsWith("Etc/") || !timeZone.includes("/")) return `time zone ${timeZone}`;
  return `${place.replaceAll("_", " ")} time`;
}

/** The day of the only run: that of `startAt`, or the next if its time has already passed. */
function onlyDate({ startAt, time, timeZone }: Schedule): string {
  const start = new Date(startAt);
  if (!isInstantInBounds(startAt)) return startAt;
  const date = calendarDate(start, timeZone);
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "medium", hourCycle: "h23" }).format(
    start,
  );
  if (clock <= `${time}:00`) return date;
  return dateOf(dayOf(date) + 1);
}

interface TimesWords {
  before: string;
  when: string;
  after: string;
}

/** With more values than this in one field, the expression itself is easier to read. */
const LISTED_VALUES = 6;

/**
 * A common cron expression in words: a time of day or an interval in minutes, on named days. Others are shown unchanged,
 * because an inexact sentence would mislead.
 */
function cronWords(expression: string): TimesWords {
  const [minute = "", hour = "", dayOfMonth = "", month = "", dayOfWeek = ""] = expression.split(" ");
  const time = timeWords(minute, hour);
  const days = cronDaysWords(dayOfMonth, month, dayOfWeek);
  if (time === null || days === null) {
    const after = isEitherDay(dayOfMonth, dayOfWeek) ? ", on matching days of the month or the week" : "";
    return { before: "on the schedule ", when: expression, after };
  }
  if (time.isClock) return { before: days.before, when: `${days.when} at ${time.words}`, after: "" };
  return {
    before: "",
    when: days.when === "day" ? time.words : `${time.words}, ${days.before}${days.when}`,
    after: "",
  };
}

function timeWords(minute: string, hour: string): { words: string; isClock: boolean } | null {
  const minutes = valuesOf(minute, 0, 59);
  const hours = valuesOf(hour, 0, 23);
  if (minutes && hours && minutes.length * hours.length <= LISTED_VALUES) {
    const clocks = hours.flatMap((hour) => minutes.map((minute) => clockWords(`${hour}:${minute}`)));
    return { words: joinWords(clocks), isClock: true };
  }
  if (hour !== "*") return null;
  if (minute === "*") return { words: "every minute", isClock: false };
  const step = /^\*\/(\d{1,2})$/.exec(minute)?.[1];
  // Steps that do not divide the hour restart with it, which "every 7 minutes" would hide.
  if (step && Number(step) > 0 && 60 % Number(step) === 0) {
    return { words: Number(step) === 1 ? "every minute" : `every ${Number(step)} minutes`, isClock: false };
  }
  if (minutes?.length === 1) {
    return { words: `every hour, at ${minutes[0]} minutes past`, isClock: false };
  }
  return null;
}

function cronDaysWords(
  dayOfMonth: string,
  month: string,
  dayOfWeek: string,
): { before: string; when: string } | null {
  const months = month === "*" ? [] : valuesOf(month, 1, 12);
  if (months === null) return null;
  if (dayOfWeek === "*" && dayOfMonth === "*") {
    if (months.length === 0) return { before: "every ", when: "day" };
    return { before: "every ", when: `day in ${joinWords(months.map(monthName))}` };
  }
  if (dayOfWeek === "*") {
    const days = valuesOf(dayOfMonth, 1, 31);
    if (!days) return null;
    const each = days.some((day) => day > 28) ? "each month that has it" : "each month";
    const ofMonth = months.length === 0 ? each : joinWords(months.map(monthName));
    return { before: "on ", when: `${joinWords(days.map((day) => `the ${ordinal(day)}`))} of ${ofMonth}` };
  }
  const days = weekdaysOf(dayOfWeek);
  if (!days) return null;
  const isWorkWeek = days.join() === "1,2,3,4,5";
  const names = isWorkWeek ? "day from Monday to Friday" : joinWords(days.map(weekday));
  const inMonths = months.length === 0 ? "" : ` in ${joinWords(months.map(monthName))}`;
  if (dayOfMonth === "*") return { before: "every ", when: `${names}${inMonths}` };
  // A star with a step requires both days, which no short sentence expresses.
  if (!isEitherDay(dayOfMonth, dayOfWeek)) return null;
  const ofMonth = cronDaysWords(dayOfMonth, month, "*");
  return ofMonth && { ...ofMonth, when: `${ofMonth.when}, and every ${names}${inMonths},` };
}

/** In cron, both fields together mean either day unless one contains a star, which few people expect. */
function isEitherDay(dayOfMonth: string, dayOfWeek: string): boolean {
  return !dayOfMonth.includes("*") && !dayOfWeek.includes("*");
}

/** In cron Sunday is 0 or 7. */
function weekdaysOf(field: string): number[] | null {
  const values = valuesOf(field, 0, 7);
  if (!values) return null;
  return [...new Set(values.map((day) => (day === 0 ? 7 : day)))].sort((one, other) => one - other);
}

/** Numbers, lists and ranges; null for a star, a step, values out of range, or too many values. */
function valuesOf(field: string, minimum: number, maximum: number): number[] | null {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const range = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part);
    if (!range) return null;
    const from = Number(range[1]);
    const to = Number(range[2] ?? range[1]);
    if (from < minimum || to > maximum || from > to) return null;
    for (let value = from; value <= to; value++) values.add(value);
  }
  return values.size <= LISTED_VALUES ? [...values].sort((one, other) => one - other) : null;
}
