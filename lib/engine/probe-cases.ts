import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleComparison } from "@/lib/engine/check-conditions";
import { occurrencesBetween } from "@/lib/engine/schedule/occurrences";
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
const DAY_MS = 86_400_000;
/** Long enough to combine every day of the month with every day of the week. */
const DAYS_LOOKED_AT = 1_500;
const MAXIMUM_MOMENTS = 2 * DAYS_LOOKED_AT;
const DAY_FACTS: ReadonlySet<string> = new Set(["DATE", "DAY_OF_MONTH", "DAY_OF_WEEK"]);

type Rule = Pick<RuleDefinition, "trigger" | "steps">;
type Side = { fact: string; accountId?: string };

/** The cases that a rule's conditions distinguish: around each bound, and between compared facts. */
export function casesOf(rule: Rule, today: string): Cases {
  const comparisons = rule.steps.flatMap(({ conditions }) =>
    comparisonsOf(conditions).map(({ comparison }) => comparison),
  );
  const { dates, isComplete } = datesOf(rule, comparisons, today);
  const axes = [...axesOf(rule, comparisons)];
  let cases: Case[] = dates.map((date) => ({ date, values: new Map() }));
  for (const [name, values] of axes) {
    if (cases.length * values.length > MAXIMUM_CASES)
      return { cases: sampled(dates, axes), isComplete: false };
    cases = cases.flatMap((one) =>
      values.map((value) => ({ ...one, values: new Map([...one.values, [name, value]]) })),
    );
  }
  return { cases, isComplete };
}

/** Too many to try: a fixed selection, spread over all. */
function sampled(dates: readonly string[], axes: readonly (readonly [string, number[]])[]): Case[] {
  let state = 20_261_120;
  const draw = <Item>(items: readonly Item[]): Item | undefined => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return items[Math.floor((state / 2 ** 32) * items.length)];
  };
  return Array.from({ length: MAXIMUM_CASES }, () => ({
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
  // Each pass carries bounds one link further; one pass per link reaches everything.
  for (let pass = 0; pass < linked.length; pass += 1) {
    for (const [one, other] of linked) {
      const both = new Set([...(bounds.get(one) ?? []), ...(bounds.get(other) ?? [])]);
      bounds.set(one, both);
      bounds.set(other, new Set(both));
    }
  }
  // Between two bounds, one value per fact that may have to differ.
  const reach = Math.min(3, 1 + linked.length);
  return new Map([...bounds].map(([name, values]) => [name, valuesOf(rule, name, values, reach)]));
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

/** One day per combination of results of the rule's day comparisons. */
function datesOf(rule: Rule, comparisons: readonly RuleComparison[], today: string) {
  const ofDays = comparisons.filter(
    (one) => DAY_FACTS.has(one.fact) || ("valueFact" in one && DAY_FACTS.has(one.valueFact.fact)),
  );
  if (ofDays.length === 0) return { dates: [today], isComplete: true };
  const named = ofDays.flatMap((one) => ("value" in one && typeof one.value === "string" ? [one.value] : []));
  const starts = [today, ...named.filter((date) => date > today)];
  const byAnswer = new Map<string, string>();
  for (const start of starts) {
    const first = Date.parse(`${start}T00:00:00Z`) - (start === today ? 0 : DAY_MS);
    const allowed = runDates(rule, first);
    for (let day = 0; day < DAYS_LOOKED_AT; day += 1) {
      const date = new Date(first + day * DAY_MS).toISOString().slice(0, 10);
      // Beyond four-digit years.
      if (date.length !== 10 || date.startsWith("+")) break;
      const answer = ofDays.map((one) => answerOf(one, date)).join();
      if (byAnswer.has(answer) || allowed?.has(date) === false) continue;
      byAnswer.set(answer, date);
    }
  }
  // An ended schedule has no run days, so its steps are not checked.
  return byAnswer.size > 0
    ? { dates: [...byAnswer.values()], isComplete: true }
    : { dates: [today], isComplete: false };
}

function answerOf(comparison: RuleComparison, date: string): string {
  const dayOfMonth = Number(date.slice(8, 10));
  const dayOfWeek = new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
  const dayFact = (fact: string) =>
    fact === "DAY_OF_MONTH" ? dayOfMonth : fact === "DAY_OF_WEEK" ? dayOfWeek : date;
  if (!("value" in comparison)) return `${dayOfMonth}/${dayOfWeek}`;
  const left = dayFact(comparison.fact);
  return left < comparison.value ? "<" : left > comparison.value ? ">" : "=";
}

/**
 * The days on which a rule may run; null for any. The organization's calendar may be a day off from the schedule's time
 * zone, so half a day on each side is included.
 */
function runDates({ trigger }: Rule, from: number): ReadonlySet<string> | null {
  if (trigger.type !== "SCHEDULED") return null;
  const [first, last] = [new Date(from - DAY_MS), new Date(from + DAYS_LOOKED_AT * DAY_MS)];
  const moments = occurrencesBetween(trigger.schedule, first, last, MAXIMUM_MOMENTS);
  // More often than twice a day, so every day has a run.
  if (moments.length === MAXIMUM_MOMENTS) return null;
  return new Set(
    moments.flatMap((moment) =>
      [-DAY_MS / 2, 0, DAY_MS / 2].map((ms) => new Date(moment.getTime() + ms).toISOString().slice(0, 10)),
    ),
  );
}
