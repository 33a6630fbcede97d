import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { Phrase } from "@/lib/contract/views/rule-parts";
import { calendarDate } from "@/lib/engine/calendar-date";
import { cronWords } from "@/lib/engine/words/cron-words";
import { dateWords, ordinal, weekday } from "@/lib/engine/words/number-words";
import { joinWords, key, say } from "@/lib/engine/words/phrases";

export type Schedule = Extract<RuleDefinition["trigger"], { type: "SCHEDULED" }>["schedule"];

/** When a schedule runs, whole: "every **Friday at 17:00** (New York time), from 3 Aug 2026". */
export function scheduleWords(schedule: Schedule): Phrase[] {
  const { before, when, after } = timesWords(schedule);
  const startsOn = dateWords(calendarDate(new Date(schedule.startAt), schedule.timeZone));
  const start = schedule.frequency === "ONE_TIME" ? "" : `, from ${startsOn}`;
  const zone = zoneWords(schedule.timeZone);
  return [
    say(before),
    key(when),
    say(`${after} (${zone})${shortMonthWords(schedule)}${start}${shiftWords(schedule)}`),
  ];
}

/** Only when, for lists and drawings: `every Friday at 17:00`. */
export function shortScheduleWords(schedule: Schedule): string {
  const { before, when, after } = timesWords(schedule);
  return `${before}${when}${after}`;
}

function timesWords(schedule: Schedule): { before: string; when: string; after: string } {
  const { time } = schedule;
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

/** A day that a month does not have is its last; in cron it is left out, which cronWords says. */
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

/** `America/New_York` reads `New York time`. The signs of `Etc/` are the wrong way round, so those stay names. */
export function zoneWords(timeZone: string): string {
  if (/^(Etc\/)?(UTC|GMT|UCT|Zulu|Universal|Greenwich)$/.test(timeZone)) return "UTC";
  const place = timeZone.split("/").at(-1) ?? timeZone;
  if (timeZone.startsWith("Etc/") || !timeZone.includes("/")) return `time zone ${timeZone}`;
  return `${place.replaceAll("_", " ")} time`;
}

const DAY_MS = 86_400_000;

/** The day of the only run: that of `startAt`, or the next one where its time of day has passed by then. */
function onlyDate({ startAt, time, timeZone }: Schedule): string {
  const start = new Date(startAt);
  const date = calendarDate(start, timeZone);
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "medium", hourCycle: "h23" }).format(
    start,
  );
  if (clock <= `${time}:00`) return date;
  return new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}
