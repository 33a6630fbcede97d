import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleComparison } from "@/lib/engine/check-conditions";
import { dateOf, dayOf, describeDay } from "@/lib/engine/schedule/calendar-day";
import { nextOccurrence } from "@/lib/engine/schedule/occurrences";
import { runDays } from "@/lib/engine/schedule/run-days";
import { dayAt } from "@/lib/engine/schedule/wall-clock";
import { comparisonsOf } from "@/lib/engine/words/condition-words";

/** Values for every fact in a rule's conditions. */
export interface Case {
  date: string;
  /** Cents by `INCOMING_AMOUNT`, or by `<fact> <account>`. */
  values: ReadonlyMap<string, number>;
}

export interface Cases {
  cases: Case[];
  /** Whether every combination that conditions can distinguish is included. */
  isComplete: boolean;
}

const MAXIMUM_CASES = 1_000;
/** Long enough to combine every day of the month with every day of the week. */
const DAYS_LOOKED_AT = 1_500;
/** For all dates that the conditions name together: a caller chooses how many those are. */
const MAXIMUM_DAYS_LOOKED_AT = 20 * DAYS_LOOKED_AT;
const DAY_FACTS: ReadonlySet<string> = new Set(["DATE", "DAY_OF_MONTH", "DAY_OF_WEEK"]);

type Rule = Pick<RuleDefinition, "trigger" | "steps">;
type Side = { fact: string; accountId?: string };

/**
 * The cases that a rule's conditions distinguish: around each bound, and between compared facts. The work is linear in
 * the conditions.
 * @param maximum of the cases; with more to distinguish, a selection
 */
export function casesOf(rule: Rule, today: string, maximum = MAXIMUM_CASES): Cases {
  const comparisons = rule.steps.flatMap(({ conditions }) =>
    comparisonsOf(conditions).map(({ comparison }) => comparison),
  );
  const { dates, isComplete } = datesOf(rule, comparisons, today);
  const axes = [...axesOf(rule, comparisons)];
  const most = Math.min(maximum, MAXIMUM_CASES);
  if (dates.length > most) return { cases: sampled(dates, axes, most), isComplete: false };
  let cases: Case[] = dates.map((date) => ({ date, values: new Map() }));
  for (const [name, values] of axes) {
    if (cases.length * values.length > most) return { cases: sampled(dates, axes, most), isComplete: false };
    cases = cases.flatMap((one) =>
      values.map((value) => ({ ...one, values: new Map([...one.values, [name, value]]) })),
    );
  }
  return { cases, isComplete };
}

/** Too many to try: a fixed selection, spread over all. */
function sampled(
  dates: readonly string[],
  axes: readonly (readonly [string, number[]])[],
  count: number,
): Case[] {
  let state = 20_261_120;
  const draw = <Item>(items: readonly Item[]): Item | undefined => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return items[Math.floor((state / 2 ** 32) * items.length)];
  };
  return Array.from({ length: count }, () => ({
    date: draw(dates) ?? "",
    values: new Map(axes.map(([name, values]) => [name, draw(values) ?? 0])),
  }));
}

const nameOf = ({ fact, accountId }: Side) => (accountId === undefined ? fact : `${fact} ${accountId}`);

/** The values to try for each fact. Facts that are compared use the bounds of both. */
function axesOf(rule: Rule, comparisons: readonly RuleComparison[]): Map<string, number[]> {
  const bounds = new Map<string, Set<number>>();
  const boundsOf = (side: Side) => {
    const known = bounds.get(nameOf(side)) ?? new Set<number>();
    bounds.set(nameOf(side), known);
    return known;
  };
  for (const comparison of comparisons) {
    if (DAY_FACTS.has(comparison.fact)) {
      if ("valueFact" in comparison && !DAY_FACTS.has(comparison.valueFact.fact)) {
        for (let day = 1; day <= 31; day += 1) boundsOf(comparison.valueFact).add(day);
      }
      continue;
    }
    const own = boundsOf(comparison);
    if ("value" in comparison) {
      if (typeof comparison.value === "number") own.add(comparison.value);
    } else if (DAY_FACTS.has(comparison.valueFact.fact)) {
      for (let day = 1; day <= 31; day += 1) own.add(day);
    } else boundsOf(comparison.valueFact);
  }
  const linked = comparisons.flatMap((one) =>
    "valueFact" in one && !DAY_FACTS.has(one.fact) && !DAY_FACTS.has(one.valueFact.fact)
      ? [[nameOf(one), nameOf(one.valueFact)] as const]
      : [],
  );
  for (const names of groupsOf(linked)) {
    const shared = new Set(names.flatMap((name) => [...(bounds.get(name) ?? [])]));
    for (const name of names) bounds.set(name, shared);
  }
  // Between two bounds, one value per fact that may have to differ.
  const reach = Math.min(3, 1 + linked.length);
  return new Map([...bounds].map(([name, values]) => [name, valuesOf(rule, name, values, reach)]));
}

/** Names that pairs connect, directly or through others: each name is visited once. */
function groupsOf(pairs: readonly (readonly [string, string])[]): string[][] {
  const beside = new Map<string, string[]>();
  for (const [one, other] of pairs) {
    beside.set(one, [...(beside.get(one) ?? []), other]);
    beside.set(other, [...(beside.get(other) ?? []), one]);
  }
  const groups: string[][] = [];
  const seen = new Set<string>();
  for (const first of beside.keys()) {
    if (seen.has(first)) continue;
    seen.add(first);
    const group = [first];
    for (const name of group) {
      for (const next of beside.get(name) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        group.push(next);
      }
    }
    groups.push(group);
  }
  return groups;
}

function valuesOf({ trigger }: Rule, name: string, bounds: ReadonlySet<number>, reach: number): number[] {
  const isIncoming = name === "INCOMING_AMOUNT";
  const minimum =
    isIncoming && trigger.type === "ON_FUNDS_TRANSFERRED" ? (trigger.minimumAmountInCents ?? 1) : null;
  const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
  const around = [...bounds, 0, ...(minimum === null ? [] : [minimum])].flatMap((bound) =>
    steps.map((step) => bound + step),
  );
  const wanted = [100_000, ...around].filter((value) => minimum === null || value >= Math.max(1, minimum));
  return [...new Set(wanted)];
}

/**
 * One day per combination of results of the rule's day comparisons. Every day is told apart by three numbers found
 * beforehand (its place among the named dates, its day of the month and of the week), so that the scan costs the same
 * with one comparison and with hundreds.
 */
function datesOf(rule: Rule, comparisons: readonly RuleComparison[], today: string) {
  const ofDays = comparisons.filter(
    (one) => DAY_FACTS.has(one.fact) || ("valueFact" in one && DAY_FACTS.has(one.valueFact.fact)),
  );
  if (ofDays.length === 0) return { dates: [today], isComplete: true };
  const first = dayOf(today);
  const named = ofDays.flatMap((one) =>
    "value" in one && typeof one.value === "string" ? [dayOf(one.value)] : [],
  );
  // Each named date is a stretch of its own, as are the days between two.
  const starts = new Set([first, ...named.filter((day) => day >= first).flatMap((day) => [day, day + 1])]);
  const stretches = [...starts].filter((day) => day <= LAST_DAY).sort((one, other) => one - other);
  const ofMonth = answersOf(ofDays, "DAY_OF_MONTH", 31);
  const ofWeek = answersOf(ofDays, "DAY_OF_WEEK", 7);
  const combinations = new Set(ofMonth).size * new Set(ofWeek).size;
  const mayRunOn = runsNear(rule);
  const found: number[] = [];
  let looked = 0;
  let isComplete = true;
  for (const [index, start] of stretches.entries()) {
    const end = Math.min(stretches[index + 1] ?? LAST_DAY + 1, start + DAYS_LOOKED_AT);
    const answers = new Set<number>();
    for (let day = start; day < end && answers.size < combinations; day += 1) {
      looked += 1;
      if (looked > MAXIMUM_DAYS_LOOKED_AT) {
        isComplete = false;
        break;
      }
      const { dayOfMonth, dayOfWeek } = describeDay(day);
      const answer = (ofMonth[dayOfMonth] ?? 0) * 32 + (ofWeek[dayOfWeek] ?? 0);
      if (answers.has(answer) || !mayRunOn(day)) continue;
      answers.add(answer);
      found.push(day);
    }
  }
  // An ended schedule has no run days, so its steps are not checked.
  return found.length > 0 ? { dates: found.map(dateOf), isComplete } : { dates: [today], isComplete: false };
}

/** Years have four digits. */
const LAST_DAY = dayOf("9999-12-31");

/**
 * Which days of the month or week the comparisons tell apart: by day, from 1, the number of its class. A comparison with
 * another fact tells all of them apart.
 */
function answersOf(
  comparisons: readonly RuleComparison[],
  fact: "DAY_OF_MONTH" | "DAY_OF_WEEK",
  days: number,
): number[] {
  const own = comparisons.filter(
    (one) => one.fact === fact || ("valueFact" in one && one.valueFact.fact === fact),
  );
  const isDistinct = own.some((one) => !("value" in one));
  const values = new Set(own.flatMap((one) => ("value" in one ? [one.value] : [])));
  const classes: number[] = [0];
  let current = 0;
  for (let day = 1; day <= days; day += 1) {
    // A value is a class of its own, and begins the next one.
    if (isDistinct || values.has(day) || values.has(day - 1)) current += 1;
    classes.push(current);
  }
  return classes;
}

/**
 * Whether a rule may run on a day. The organization's calendar may be a day off from the schedule's time zone, so the
 * days beside count too.
 */
function runsNear({ trigger }: Rule): (day: number) => boolean {
  if (trigger.type !== "SCHEDULED") return () => true;
  const { schedule } = trigger;
  const first = dayAt(Date.parse(schedule.startAt), schedule.timeZone);
  const { runsOn } = runDays(schedule);
  const runs = (day: number) => day >= first && runsOn(day);
  if (schedule.frequency === "ONE_TIME") {
    const only = nextOccurrence(schedule, new Date(Date.parse(schedule.startAt) - 1));
    const onlyDay = only === null ? null : dayAt(only.getTime(), schedule.timeZone);
    return (day) => onlyDay !== null && Math.abs(day - onlyDay) <= 1;
  }
  return (day) => runs(day - 1) || runs(day) || runs(day + 1);
}
