import { MAXIMUM_MANDATE_USES, type MandatePeriod, type MandateTerms } from "@/lib/contract/mandates/mandate";
import { firstDayOf, firstMomentOf, THIRTY_DAYS_MS } from "@/lib/engine/mandates/periods";
import { dayOf } from "@/lib/engine/schedule/calendar-day";
import { dayAt } from "@/lib/engine/schedule/wall-clock";

/** The most that can move under a mandate: in any day, week from Monday, calendar month and 30 days, and in all. */
export interface WorstCase {
  dayInCents: number;
  weekInCents: number;
  monthInCents: number;
  thirtyDaysInCents: number;
  totalInCents: number;
}

/**
 * Follows from all limits together, and is never less than what is possible. It is what is possible where transfers of the
 * largest size fill each limit, or one limit alone leaves a rest. Any 30 days touch up to six weeks and three calendar
 * months. What the accounts hold is not considered.
 * @param timeZone of the mandate
 * @param readIn whose days, weeks and months are meant; one of them may touch two days of the mandate
 */
export function worstCase(terms: MandateTerms, timeZone: string, readIn = timeZone): WorstCase {
  const limits = limitsOf(terms, timeZone);
  const all = daysOf(terms);
  const inPeriod = (period: MandatePeriod) => {
    const spans = periodsOf(period, momentsOf(all, timeZone), readIn);
    return mostOf(stretchesTouched(spans, all, timeZone), limits);
  };
  const inRolling = mostOf(rollingStretches(all, timeZone), limits);
  return {
    dayInCents: inPeriod("DAY"),
    weekInCents: inPeriod("WEEK"),
    monthInCents: inPeriod("MONTH"),
    thirtyDaysInCents: wholeUses(Math.min(inRolling, terms.thirtyDaysInCents ?? inRolling), limits),
    totalInCents: mostOf([all], limits),
  };
}

/** Calendar days, both included. */
interface Stretch {
  first: number;
  last: number;
}

/** At most so much within the days from `firstDayOf(day)` to `day`, for every day; later days never reach further back. */
interface Cap {
  most: number;
  firstDayOf: (day: number) => number;
}

interface UseSize {
  minimum: number;
  /** The largest transfer that all limits allow. */
  largest: number;
}

interface Limits extends UseSize {
  /** On money; a limit on uses as so many times the largest. */
  money: readonly Cap[];
  /** On the number of uses. */
  uses: readonly Cap[];
  /** On money, over stretches that do not overlap. */
  budgets: readonly Cap[];
}

function limitsOf(terms: MandateTerms, timeZone: string): Limits {
  const { recurrence, maximumInCents, dayInCents, weekInCents, monthInCents, totalInCents } = terms;
  const amounts = [dayInCents, weekInCents, monthInCents, totalInCents, terms.thirtyDaysInCents];
  const size: UseSize = {
    minimum: terms.minimumInCents ?? 1,
    largest: Math.min(maximumInCents, ...amounts.filter((amount) => amount !== null)),
  };
  const cap = (amount: number | null, first: Cap["firstDayOf"]): Cap[] =>
    amount === null ? [] : [{ most: wholeUses(amount, size), firstDayOf: first }];
  const by = (period: MandatePeriod) => (day: number) => firstDayOf(period, day);
  const budgets = [
    ...cap(dayInCents, by("DAY")),
    ...cap(weekInCents, by("WEEK")),
    ...cap(monthInCents, by("MONTH")),
    ...cap(totalInCents, everyDay),
  ];
  const daysApart = recurrence?.daysApart ?? null;
  const uses: Cap[] = [
    { most: terms.maximumUses ?? MAXIMUM_MANDATE_USES, firstDayOf: everyDay },
    ...(recurrence ? [{ most: recurrence.atMost, firstDayOf: by(recurrence.period) }] : []),
    ...(daysApart === null ? [] : [{ most: 1, firstDayOf: (day: number) => day - daysApart + 1 }]),
  ];
  const money = [
    ...budgets,
    ...cap(terms.thirtyDaysInCents, firstWithinThirtyDays(timeZone)),
    ...uses.map(({ most, firstDayOf: first }) => ({ most: times(most, size.largest), firstDayOf: first })),
  ];
  return { ...size, money, uses, budgets };
}

const everyDay = () => Number.NEGATIVE_INFINITY;

/** The largest sum up to an amount that whole transfers can make: of 250.00 to 300.00 each, 400.00 holds one of 300.00. */
function wholeUses(amount: number, { minimum, largest }: UseSize): number {
  if (largest < minimum) return 0;
  const uses = Math.floor(amount / largest);
  return times(uses + 1, minimum) <= amount ? amount : times(uses, largest);
}

/** No ledger holds more than a number can count exactly. */
const times = (count: number, amount: number) => Math.min(count * amount, Number.MAX_SAFE_INTEGER);

/** The most within the worst of these stretches. */
function mostOf(stretches: Iterable<Stretch>, limits: Limits): number {
  let most = 0;
  for (const stretch of stretches) {
    const atMost = mostWithin(stretch, limits.money);
    if (atMost <= most) continue;
    const byUses = limits.budgets.map((budget) => mostByUses(stretch, budget, limits));
    most = Math.max(most, wholeUses(Math.min(atMost, ...byUses), limits));
  }
  return most;
}

/**
 * The exact maximum under these caps. Spending as early as possible is optimal: of any other way, take the first day that spends
 * less than it could and move a cent there from the next day that spends. Every stretch that gains it either holds both days
 * or had room for it.
 */
function mostWithin({ first, last }: Stretch, caps: readonly Cap[]): number {
  const spentBefore = [0];
  for (let day = first; day <= last; day += 1) {
    const spent = spentBefore.at(-1) ?? 0;
    const rooms = caps.map(({ most, firstDayOf: firstOf }) => {
      const since = Math.max(firstOf(day) - first, 0);
      return most - (spent - (spentBefore[since] ?? 0));
    });
    spentBefore.push(spent + Math.max(0, Math.min(...rooms)));
  }
  return spentBefore.at(-1) ?? 0;
}

/**
 * A bound by the number of transfers: a budget holds so many of the largest size and one with the rest, so more transfers than
 * that add nothing. What the rest adds is counted apart, because it takes a use as well.
 */
function mostByUses(stretch: Stretch, budget: Cap, { uses, largest }: Limits): number {
  if (largest <= 0 || budget.most === 0) return 0;
  const full = Math.floor(budget.most / largest);
  const rest = budget.most - full * largest;
  const usesOf = (most: number) => mostWithin(stretch, [...uses, { ...budget, most }]);
  const fullUses = usesOf(full);
  const allUses = rest === 0 ? fullUses : usesOf(full + 1);
  return times(fullUses, largest - rest) + times(allUses, rest);
}

/** Moments in milliseconds; the end is not included. */
interface Span {
  begin: number;
  end: number;
}

const daysOf = ({ from, until }: MandateTerms): Stretch => ({ first: dayOf(from), last: dayOf(until) });

const momentsOf = ({ first, last }: Stretch, timeZone: string): Span => ({
  begin: firstMomentOf(first, timeZone),
  end: firstMomentOf(last + 1, timeZone),
});

/** The periods that touch a span. */
function* periodsOf(period: MandatePeriod, { begin, end }: Span, timeZone: string): Iterable<Span> {
  let first = firstDayOf(period, dayAt(begin, timeZone));
  const last = dayAt(end - 1, timeZone);
  for (let day = first; day <= last; day += 1) {
    if (firstDayOf(period, day + 1) <= first) continue;
    yield momentsOf({ first, last: day }, timeZone);
    first = day + 1;
  }
  if (first <= last) yield momentsOf({ first, last }, timeZone);
}

/** The days of a mandate that each of these spans touches. */
function* stretchesTouched(spans: Iterable<Span>, all: Stretch, timeZone: string): Iterable<Stretch> {
  for (const { begin, end } of spans) {
    const first = Math.max(dayAt(begin, timeZone), all.first);
    yield { first, last: Math.min(dayAt(end - 1, timeZone), all.last) };
  }
}

/** The days that 30 days touch which begin with the last moment of a day: those of any others are among them. */
function* rollingStretches(all: Stretch, timeZone: string): Iterable<Stretch> {
  for (let first = all.first; first <= all.last; first += 1) {
    const beginsAt = firstMomentOf(first + 1, timeZone) - 1;
    const last = dayAt(beginsAt + THIRTY_DAYS_MS - 1, timeZone);
    yield { first, last: Math.min(last, all.last) };
  }
}

/** The first of the days that end with this one and are 30 days together at most. */
function firstWithinThirtyDays(timeZone: string): (day: number) => number {
  const known = new Map<number, number>();
  return (day) => {
    const before = known.get(day);
    if (before !== undefined) return before;
    const beginsAt = firstMomentOf(day + 1, timeZone) - THIRTY_DAYS_MS;
    const touched = dayAt(beginsAt, timeZone);
    const first = firstMomentOf(touched, timeZone) === beginsAt ? touched : touched + 1;
    known.set(day, first);
    return first;
  };
}

/** A mandate as it is read with others. */
export interface ReadMandate {
  terms: MandateTerms;
  timeZone: string;
}

interface OneKey {
  /** Whose days, weeks and months are meant. */
  timeZone: string;
  /** What the key may move within 24 hours without a person; null: no such cap. */
  dailyCapInCents: number | null;
}

/**
 * The most that a key can move without a person under all of these mandates together. Its daily cap counts their uses too; it
 * rolls, so that a day of 25 hours holds it twice.
 */
export function mostByItself(
  mandates: readonly ReadMandate[],
  { timeZone, dailyCapInCents }: OneKey,
): WorstCase {
  const worst = mandates.map((each) => worstCase(each.terms, each.timeZone, timeZone));
  const sum = (span: keyof WorstCase) => worst.reduce((total, each) => total + each[span], 0);
  const sums: WorstCase = {
    dayInCents: sum("dayInCents"),
    weekInCents: sum("weekInCents"),
    monthInCents: sum("monthInCents"),
    thirtyDaysInCents: sum("thirtyDaysInCents"),
    totalInCents: sum("totalInCents"),
  };
  if (dailyCapInCents === null || mandates.length === 0) return sums;
  const moments = mandates.map((each) => momentsOf(daysOf(each.terms), each.timeZone));
  const all: Span = {
    begin: Math.min(...moments.map(({ begin }) => begin)),
    end: Math.max(...moments.map(({ end }) => end)),
  };
  const within = (spans: Iterable<Span>) => Math.max(...[...spans].map(capsWithin)) * dailyCapInCents;
  return {
    dayInCents: Math.min(sums.dayInCents, within(periodsOf("DAY", all, timeZone))),
    weekInCents: Math.min(sums.weekInCents, within(periodsOf("WEEK", all, timeZone))),
    monthInCents: Math.min(sums.monthInCents, within(periodsOf("MONTH", all, timeZone))),
    thirtyDaysInCents: Math.min(
      sums.thirtyDaysInCents,
      capsWithin({ begin: 0, end: THIRTY_DAYS_MS }) * dailyCapInCents,
    ),
    totalInCents: Math.min(sums.totalInCents, within([all])),
  };
}

/** How often a span holds a cap of 24 hours. */
const capsWithin = ({ begin, end }: Span) => Math.ceil((end - begin) / DAY_MS);
const DAY_MS = 86_400_000;
