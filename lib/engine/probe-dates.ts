import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleComparison } from "@/lib/engine/check-conditions";
import { dateOf, dayOf, describeDay } from "@/lib/engine/schedule/calendar-day";
import { occurrencesBetween } from "@/lib/engine/schedule/occurrences";

export const DAY_FACTS: ReadonlySet<string> = new Set(["DATE", "DAY_OF_MONTH", "DAY_OF_WEEK"]);

type Rule = Pick<RuleDefinition, "trigger">;

export interface Dates {
  dates: string[];
  /** Whether every combination of results of the rule's day comparisons is included. */
  isComplete: boolean;
}

/** Long enough to combine every day of the month with every day of the week. */
const DAYS_LOOKED_AT = 1_500;
/** In all periods together: a rule with many dates is not looked at further than this. */
const MAXIMUM_DAYS_LOOKED_AT = 4 * DAYS_LOOKED_AT;
/** Days whose runs are calculated together. */
const DAYS_AT_ONCE = 32;
/** Years have four digits. */
const LAST_DAY = dayOf("9999-12-31");
const DAY_MS = 86_400_000;

/** Days from one to another, both included, on which all of a rule's dates compare alike. */
interface Period {
  from: number;
  to: number;
}

/**
 * One day per combination of results of a rule's day comparisons, earliest first. Dates divide the future into periods; in
 * each, only the day of the month and the day of the week distinguish days. Looks at every day once and at a bounded
 * number of them, so that its work does not grow with the product of dates and days.
 * @param today earlier days are ignored
 */
export function* datesOf(
  rule: Rule,
  comparisons: readonly RuleComparison[],
  today: string,
): Generator<void, Dates> {
  const ofDays = comparisons.filter(
    (one) => DAY_FACTS.has(one.fact) || ("valueFact" in one && DAY_FACTS.has(one.valueFact.fact)),
  );
  if (ofDays.length === 0) return { dates: [today], isComplete: true };
  const kinds = kindsOfDays(ofDays);
  const dates: string[] = [];
  let isComplete = true;
  let daysLeft = MAXIMUM_DAYS_LOOKED_AT;
  for (const { from, to } of periodsOf(ofDays, today)) {
    const seen = new Set<number>();
    for (let day = from; day <= to && seen.size < kinds.count; day += DAYS_AT_ONCE) {
      yield;
      if (daysLeft <= 0) {
        isComplete = false;
        break;
      }
      const last = Math.min(to, day + DAYS_AT_ONCE - 1);
      daysLeft -= last - day + 1;
      for (const found of runDaysBetween(rule, day, last)) {
        const kind = kinds.of(found);
        if (seen.has(kind)) continue;
        seen.add(kind);
        dates.push(dateOf(found));
      }
    }
  }
  // An ended schedule has no run days, so its steps are not checked.
  return dates.length > 0 ? { dates, isComplete } : { dates: [today], isComplete: false };
}

function periodsOf(comparisons: readonly RuleComparison[], today: string): Period[] {
  const named = comparisons.flatMap((one) =>
    "value" in one && typeof one.value === "string" && one.value >= today ? [dayOf(one.value)] : [],
  );
  const periods: Period[] = [];
  let next = dayOf(today);
  for (const day of [...new Set(named)].sort((one, other) => one - other)) {
    if (day > next) periods.push({ from: next, to: Math.min(day - 1, next + DAYS_LOOKED_AT - 1) });
    periods.push({ from: day, to: day });
    next = day + 1;
  }
  if (next <= LAST_DAY) periods.push({ from: next, to: Math.min(LAST_DAY, next + DAYS_LOOKED_AT - 1) });
  return periods;
}

/** Numbers the days that comparisons with the day of the month and of the week distinguish. */
function kindsOfDays(comparisons: readonly RuleComparison[]) {
  const distinguished = (fact: string, lastDay: number) => {
    const numbers = new Map<string, number>();
    return Array.from({ length: lastDay + 1 }, (_, day) => {
      const results = comparisons.map((one) => resultOn(one, fact, day)).join();
      const known = numbers.get(results) ?? numbers.size;
      // Days count from 1.
      if (day > 0) numbers.set(results, known);
      return known;
    });
  };
  const [ofMonth, ofWeek] = [distinguished("DAY_OF_MONTH", 31), distinguished("DAY_OF_WEEK", 7)];
  return {
    count: new Set(ofMonth.slice(1)).size * new Set(ofWeek.slice(1)).size,
    of: (day: number): number => {
      const { dayOfMonth, dayOfWeek } = describeDay(day);
      return (ofMonth[dayOfMonth] ?? 0) * 8 + (ofWeek[dayOfWeek] ?? 0);
    },
  };
}

/** Compared with another fact, every day is one of its own. */
function resultOn(comparison: RuleComparison, fact: string, day: number): string {
  if (!("value" in comparison)) return String(day);
  if (comparison.fact !== fact || typeof comparison.value !== "number") return "";
  return day < comparison.value ? "<" : day > comparison.value ? ">" : "=";
}

/**
 * The days on which a rule may run, in order. The organization's calendar may be a day off from the schedule's time zone,
 * so half a day on each side is included.
 */
function runDaysBetween({ trigger }: Rule, from: number, to: number): number[] {
  const days = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  if (trigger.type !== "SCHEDULED") return days;
  const maximum = 2 * (days.length + 2);
  const [after, upTo] = [new Date((from - 1) * DAY_MS), new Date((to + 2) * DAY_MS)];
  const moments = occurrencesBetween(trigger.schedule, after, upTo, maximum);
  // More often than twice a day: every day counts as one with a run.
  if (moments.length === maximum) return days;
  const runDays = new Set(
    moments.flatMap((moment) =>
      [-DAY_MS / 2, 0, DAY_MS / 2].map((ms) => Math.floor((moment.getTime() + ms) / DAY_MS)),
    ),
  );
  return days.filter((day) => runDays.has(day));
}
