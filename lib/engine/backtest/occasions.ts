import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleSchedule } from "@/lib/contract/rules/trigger";
import { comparisonsOf } from "@/lib/engine/comparisons-of";
import { latestOccurrences } from "@/lib/engine/schedule/occurrences";
import { dayAt } from "@/lib/engine/schedule/wall-clock";

/** An actual movement on an account, not by the rule itself, or an arrival on an outside account. */
export interface HistoryEvent {
  at: string;
  accountId: string;
  /** Change of its balance. 0 for outside accounts, whose past balances are unknown. */
  changeInCents: number;
  /** The amount that triggers rules; null otherwise. */
  arrivedInCents: number | null;
  /** Moved by others on a route of the rule before it was active, which the rule replaces. */
  isReplaced?: boolean;
}

/** A live run on demand. */
export interface AskedRun {
  at: string;
  /** The requested amount; null for the account's balance. */
  incomingAmountInCents: number | null;
}

/** The history that a version would have run on, without the rule's own transfers. */
export interface RuleHistory {
  /** Instants, ISO 8601. */
  from: string;
  until: string;
  timeZone: string;
  /** The facts at `from`: balances of managed accounts from the books, everything else as of today. */
  accounts: Readonly<Record<string, AccountFacts>>;
  /** In order. */
  events: readonly HistoryEvent[];
  /** In order. */
  asked: readonly AskedRun[];
  /** The usage of each limit in the current period before `from`, by id. */
  limitsUsedInCents: Readonly<Record<string, number>>;
  /** What was paid to a debt in its present month before `from`, by account; none if omitted. */
  paidBefore?: Readonly<Record<string, { date: string; amountInCents: number }>>;
}

/** Whether the books have its past balances. For other accounts, there is only today's balance. */
export function isManaged(account: AccountFacts): boolean {
  return account.type !== "EXTERNAL_ACCOUNT";
}

/** A time at which a version would have run. */
export interface Occasion {
  kind: "ARRIVAL" | "SCHEDULE" | "ASKED";
  at: string;
  /** The number of events up to then, including the arrival itself. */
  eventsBefore: number;
  incomingAmountInCents: number | null;
}

/** More are not simulated; the earliest are left out. */
export const MAXIMUM_OCCASIONS = 2_000;
const MINIMUM_OCCASIONS = 10;
/** Comparisons, accounts and transfers in all runs of a version together: about 100 ms. */
const MAXIMUM_WORK = 100_000;

/**
 * How many occasions of these versions are simulated: fewer of a rule so large that all of them would take seconds.
 * @param accounts how many the history has
 */
export function maximumOccasions(
  versions: readonly Pick<RuleDefinition, "steps">[],
  accounts: number,
): number {
  const works = versions.map(({ steps }) => {
    const comparisons = steps.reduce((sum, step) => sum + comparisonsOf(step.conditions).length, 0);
    const transfers = steps.map(({ actions }) =>
      actions.reduce((sum, action) => sum + destinationsOf(action).length, 0),
    );
    // Each occasion copies the accounts twice; a transfer takes about as long as four comparisons.
    return comparisons + 2 * accounts + 4 * Math.max(...transfers);
  });
  const affordable = Math.floor(MAXIMUM_WORK / Math.max(1, ...works));
  return Math.max(MINIMUM_OCCASIONS, Math.min(MAXIMUM_OCCASIONS, affordable));
}

/**
 * When a version would have run: on arrivals to its account, at its scheduled times, and on demand, whichever version ran
 * then.
 * @param scheduledTimes its scheduled times within the history, in order; empty without a schedule
 */
export function occasionsOf(
  { trigger }: Pick<RuleDefinition, "trigger">,
  history: RuleHistory,
  scheduledTimes: readonly string[],
): Occasion[] {
  const occasions: Occasion[] = [];
  if (trigger.type === "ON_FUNDS_TRANSFERRED") {
    const least = trigger.minimumAmountInCents ?? 0;
    for (const [index, event] of history.events.entries()) {
      if (event.accountId !== trigger.accountId || event.arrivedInCents === null) continue;
      // Transfers in progress before the history count as earlier.
      if (event.arrivedInCents < least || event.at < history.from) continue;
      const incomingAmountInCents = event.arrivedInCents;
      occasions.push({ kind: "ARRIVAL", at: event.at, eventsBefore: index + 1, incomingAmountInCents });
    }
  }
  const timed = [
    ...scheduledTimes.map((at) => ({ kind: "SCHEDULE" as const, at, incomingAmountInCents: null })),
    ...history.asked.map((run) => ({ kind: "ASKED" as const, ...run })),
  ];
  occasions.push(...timed.map((one) => ({ ...one, eventsBefore: eventsUntil(history, one.at) })));
  return occasions.sort((one, other) => one.eventsBefore - other.eventsBefore || compare(one.at, other.at));
}

/** The number of events up to a moment, by binary search. */
function eventsUntil({ events }: RuleHistory, at: string): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const event = events[middle];
    if (event && event.at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * The latest occasions of the compared versions, over the same period.
 * @returns `from`: the start of that period if earlier occasions were left out, otherwise null
 */
export function latestOccasions(
  lists: readonly (readonly Occasion[])[],
  maximum = MAXIMUM_OCCASIONS,
): { lists: Occasion[][]; from: string | null } {
  const starts = lists.flatMap((list) =>
    list.length > maximum ? [list[list.length - maximum]?.at ?? ""] : [],
  );
  const from = starts.sort(compare).at(-1) ?? null;
  // Too many occasions at the same moment are still cut.
  return {
    lists: lists.map((list) => list.filter(({ at }) => from === null || at >= from).slice(-maximum)),
    from,
  };
}

const HOUR_MS = 3_600_000;
/** The longest cycle that depends on the start of a schedule: every other week. */
const RHYTHM_DAYS = 14;
const RHYTHM_MS = RHYTHM_DAYS * 24 * HOUR_MS;

/**
 * The scheduled times of a version between two moments, in order, as if the schedule had started before them; empty without
 * a schedule. A one-time schedule keeps its time.
 * @returns ISO 8601; the latest ones, at most one more than is simulated
 */
export function scheduledTimes(
  { trigger }: Pick<RuleDefinition, "trigger">,
  from: string,
  until: string,
): string[] {
  if (trigger.type !== "SCHEDULED") return [];
  const schedule = begunBefore(trigger.schedule, new Date(from));
  return latestOccurrences(schedule, new Date(until), new Date(from), MAXIMUM_OCCASIONS + 1)
    .map((time) => time.toISOString())
    .reverse();
}

function begunBefore(schedule: RuleSchedule, from: Date): RuleSchedule {
  const start = Date.parse(schedule.startAt);
  if (schedule.frequency === "ONE_TIME" || start <= from.getTime()) return schedule;
  const rhythms = Math.ceil((start - from.getTime()) / RHYTHM_MS) + 1;
  const earlier = start - rhythms * RHYTHM_MS;
  // A clock change in between could shift the day, and with it the week.
  const drift = dayAt(earlier, schedule.timeZone) - dayAt(start, schedule.timeZone) + rhythms * RHYTHM_DAYS;
  return { ...schedule, startAt: new Date(earlier - drift * HOUR_MS).toISOString() };
}
