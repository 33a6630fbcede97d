import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleComparison } from "@/lib/engine/check-conditions";
import { comparisonsOf } from "@/lib/engine/comparisons-of";
import { DAY_FACTS, datesOf } from "@/lib/engine/probe-dates";

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
const MINIMUM_CASES = 16;
/** Values and comparisons in all cases together: a rule with many of them is tried in fewer cases. */
const MAXIMUM_VALUES = 40_000;

type Rule = Pick<RuleDefinition, "trigger" | "steps">;
type Side = { fact: string; accountId?: string };
/** A fact with the values to try. */
type Axis = readonly [name: string, values: readonly number[]];

/**
 * The cases that a rule's conditions distinguish: around each bound, and between compared facts. May be interrupted
 * wherever it yields.
 */
export function* casesOf(rule: Rule, today: string): Generator<void, Cases> {
  const comparisons = rule.steps.flatMap(({ conditions }) =>
    comparisonsOf(conditions).map(({ comparison }) => comparison),
  );
  const { dates, isComplete } = yield* datesOf(rule, comparisons, today);
  const axes = axesOf(rule, comparisons);
  const perCase = 1 + axes.length + comparisons.length;
  const maximum = Math.max(MINIMUM_CASES, Math.min(MAXIMUM_CASES, Math.floor(MAXIMUM_VALUES / perCase)));
  let cases: Case[] = dates.map((date) => ({ date, values: new Map() }));
  if (cases.length > maximum) return { cases: yield* sampled(dates, axes, maximum), isComplete: false };
  for (const [name, values] of axes) {
    if (cases.length * values.length > maximum) {
      return { cases: yield* sampled(dates, axes, maximum), isComplete: false };
    }
    cases = cases.flatMap((one) =>
      values.map((value) => ({ ...one, values: new Map([...one.values, [name, value]]) })),
    );
    yield;
  }
  return { cases, isComplete };
}

/** Too many to try: a fixed selection, spread over all. */
function* sampled(dates: readonly string[], axes: readonly Axis[], count: number): Generator<void, Case[]> {
  let state = 20_261_120;
  const draw = <Item>(items: readonly Item[]): Item | undefined => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return items[Math.floor((state / 2 ** 32) * items.length)];
  };
  const cases: Case[] = [];
  while (cases.length < count) {
    yield;
    cases.push({
      date: draw(dates) ?? "",
      values: new Map(axes.map(([name, values]) => [name, draw(values) ?? 0])),
    });
  }
  return cases;
}

const nameOf = ({ fact, accountId }: Side) => (accountId === undefined ? fact : `${fact} ${accountId}`);

/** The bounds that facts are compared with. Facts that are compared with each other share the bounds of both. */
class Bounds {
  private readonly leaders = new Map<string, string>();
  private readonly bounds = new Map<string, Set<number>>();

  /** Every fact, in the order of the rule. */
  names(): string[] {
    return [...this.leaders.keys()];
  }

  /** The fact whose bounds are those of this one. */
  leaderOf(name: string): string {
    let leader = this.leaders.get(name) ?? name;
    for (let next = this.leaders.get(leader); next !== undefined && next !== leader; ) {
      leader = next;
      next = this.leaders.get(leader);
    }
    // The next look-up takes one step.
    this.leaders.set(name, leader);
    return leader;
  }

  of(name: string): Set<number> {
    const leader = this.leaderOf(name);
    const known = this.bounds.get(leader) ?? new Set();
    this.bounds.set(leader, known);
    return known;
  }

  link(one: string, other: string): void {
    const [to, from] = [this.leaderOf(one), this.leaderOf(other)];
    if (to === from) return;
    const [into, moved] = [this.of(to), this.of(from)];
    // The smaller set moves, so that no bound moves often.
    const [larger, smaller] = into.size >= moved.size ? [into, moved] : [moved, into];
    for (const bound of smaller) larger.add(bound);
    this.leaders.set(from, to);
    this.bounds.set(to, larger);
  }
}

/** The values to try for each fact. */
function axesOf(rule: Rule, comparisons: readonly RuleComparison[]): Axis[] {
  const bounds = new Bounds();
  const days = (name: string) => {
    for (let day = 1; day <= 31; day += 1) bounds.of(name).add(day);
  };
  let links = 0;
  for (const comparison of comparisons) {
    const isOfDay = DAY_FACTS.has(comparison.fact);
    if (!("valueFact" in comparison)) {
      if (!isOfDay && typeof comparison.value === "number")
        bounds.of(nameOf(comparison)).add(comparison.value);
      continue;
    }
    const { valueFact } = comparison;
    if (DAY_FACTS.has(valueFact.fact)) {
      if (!isOfDay) days(nameOf(comparison));
    } else if (isOfDay) days(nameOf(valueFact));
    else {
      bounds.link(nameOf(comparison), nameOf(valueFact));
      links += 1;
    }
  }
  // Between two bounds, one value per fact that may have to differ.
  const reach = Math.min(3, 1 + links);
  const shared = new Map<string, readonly number[]>();
  return bounds.names().map((name) => {
    const leader = bounds.leaderOf(name);
    if (name === "INCOMING_AMOUNT") return [name, valuesOf(rule, name, bounds.of(name), reach)];
    const values = shared.get(leader) ?? valuesOf(rule, name, bounds.of(name), reach);
    shared.set(leader, values);
    return [name, values];
  });
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
