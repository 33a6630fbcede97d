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
  const zone = zoneWords(schedule.timeZone);
  const start =
    schedule.frequency === "ONE_TIME"
      ? ""
      : `, from ${dateWords(dateIn(schedule.startAt, schedule.timeZone))}`;
  return [say(before), key(when), say(`${after} (${zone})${start}${shiftWords(schedule)}`)];
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
    case "ONE_TIME": {
      const { date, clock } = momentIn(schedule.startAt, schedule.timeZone);
      return { before: "once, on ", when: `${dateWords(date)} at ${clock}`, after: "" };
    }
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

function dateIn(at: string, timeZone: string): string {
  return calendarDate(new Date(at), timeZone);
}

function momentIn(at: string, timeZone: string): { date: string; clock: string } {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(at));
  return { date: dateIn(at, timeZone), clock };
}
