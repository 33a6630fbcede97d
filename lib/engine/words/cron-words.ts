import { monthName, ordinal, weekday } from "@/lib/engine/words/number-words";
import { joinWords } from "@/lib/engine/words/phrases";

interface TimesWords {
  before: string;
  when: string;
  after: string;
}

/** More values than this in one field read worse than the expression itself. */
const TOLD_VALUES = 6;

/**
 * A cron expression in words where its form is a common one: a time of day, or every so many minutes, on named days.
 * Any other is shown as it stands, since a sentence that is nearly right would mislead.
 */
export function cronWords(expression: string): TimesWords {
  const [minute = "", hour = "", dayOfMonth = "", month = "", dayOfWeek = ""] = expression.split(" ");
  const time = timeWords(minute, hour);
  const days = daysWords(dayOfMonth, month, dayOfWeek);
  if (time === null || days === null) {
    const after = isEitherDay(dayOfMonth, dayOfWeek)
      ? ", on the days of the month and of the week alike"
      : "";
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
  if (minutes && hours && minutes.length * hours.length <= TOLD_VALUES) {
    const clocks = hours.flatMap((h) => minutes.map((m) => `${twoDigits(h)}:${twoDigits(m)}`));
    return { words: joinWords(clocks), isClock: true };
  }
  if (hour !== "*") return null;
  if (minute === "*") return { words: "every minute", isClock: false };
  const step = /^\*\/(\d{1,2})$/.exec(minute)?.[1];
  // Steps that do not divide the hour begin anew with it, which "every 7 minutes" would deny.
  if (step && Number(step) > 0 && 60 % Number(step) === 0) {
    return { words: Number(step) === 1 ? "every minute" : `every ${Number(step)} minutes`, isClock: false };
  }
  if (minutes?.length === 1) {
    return { words: `every hour, at ${minutes[0]} minutes past`, isClock: false };
  }
  return null;
}

function daysWords(
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
  // A star with a step asks for both days at once, which no short sentence says.
  if (!isEitherDay(dayOfMonth, dayOfWeek)) return null;
  const ofMonth = daysWords(dayOfMonth, month, "*");
  return ofMonth && { ...ofMonth, when: `${ofMonth.when}, and every ${names}${inMonths},` };
}

/** Both fields together mean one day or the other in cron, unless one holds a star; few readers would guess it. */
function isEitherDay(dayOfMonth: string, dayOfWeek: string): boolean {
  return !dayOfMonth.includes("*") && !dayOfWeek.includes("*");
}

/** In cron Sunday is 0 or 7. */
function weekdaysOf(field: string): number[] | null {
  const values = valuesOf(field, 0, 7);
  if (!values) return null;
  return [...new Set(values.map((day) => (day === 0 ? 7 : day)))].sort((one, other) => one - other);
}

/** Numbers, lists and ranges of them; null for a star, a step, what is out of range, or more than can be told. */
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
  return values.size <= TOLD_VALUES ? [...values].sort((one, other) => one - other) : null;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
