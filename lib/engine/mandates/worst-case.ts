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
 */
export function worstCase(terms: MandateTerms, timeZone: string): WorstCase {
  const limits = limitsOf(terms, timeZone);
  const all: Stretch = { first: dayOf(terms.from), last: dayOf(terms.until) };
  const inPeriod = (period: MandatePeriod) => mostOf(stretchesBy(period, all), limits);
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

function* stretchesBy(period: MandatePeriod, all: Stretch): Iterable<Stretch> {
  let first = all.first;
  for (let day = all.first; day <= all.last; day += 1) {
    if (day < all.last && firstDayOf(period, day + 1) <= first) continue;
    yield { first, last: day };
    first = day + 1;
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
