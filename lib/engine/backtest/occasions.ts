import type { AccountFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleSchedule } from "@/lib/contract/rules/trigger";
import { latestOccurrences } from "@/lib/engine/schedule/occurrences";
import { dayAt } from "@/lib/engine/schedule/wall-clock";

/** What moved on an account, in truth, other than by the rule itself; or arrived on one at another institution. */
export interface HistoryEvent {
  at: string;
  accountId: string;
  /** Of its balance. 0 of accounts at other institutions: nobody knows what they held. */
  changeInCents: number;
  /** What came in, where that fires rules; null otherwise. */
  arrivedInCents: number | null;
}

/** A live run that somebody asked for. */
export interface AskedRun {
  at: string;
  /** As it was told; null: what the account held. */
  incomingAmountInCents: number | null;
}

/** What a version of a rule would have found, had it run: everything but the rule's own doing. */
export interface RuleHistory {
  /** Instants, ISO 8601. */
  from: string;
  until: string;
  timeZone: string;
  /** As they were at `from`: balances of managed accounts from the books, all else as it is today. */
  accounts: Readonly<Record<string, AccountFacts>>;
  /** In order. */
  events: readonly HistoryEvent[];
  /** In order. */
  asked: readonly AskedRun[];
  /** What each limit had used before `from` of the period that `from` lies in, by its id. */
  limitsUsedInCents: Readonly<Record<string, number>>;
}

/** Whether the books know what it held: of every other account there is only what its institution says today. */
export function isManaged(account: AccountFacts): boolean {
  return account.type !== "EXTERNAL_ACCOUNT";
}

/** A time at which a version would have run. */
export interface Occasion {
  kind: "ARRIVAL" | "SCHEDULE" | "ASKED";
  at: string;
  /** Events of the history that had happened by then, the arrival itself included. */
  eventsBefore: number;
  incomingAmountInCents: number | null;
}

/** More are not simulated: the earliest are left out. */
export const MAXIMUM_OCCASIONS = 2_000;

/**
 * When a version would have run: at what arrived on its account, at its scheduled times, and whenever somebody asked for
 * a run of the rule, whichever version ran then.
 * @param scheduledTimes of its schedule between the history's ends, in order; empty where it has none
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
      // What was under way before the history begins has happened before it.
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

/** How many events had happened by a moment. They are in order, so it is found by halving. */
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
 * The latest occasions of versions that are compared, over one time for all of them.
 * @returns `from`: when that time begins, where occasions before it were left out; null otherwise
 */
export function latestOccasions(
  lists: readonly (readonly Occasion[])[],
  maximum = MAXIMUM_OCCASIONS,
): { lists: Occasion[][]; from: string | null } {
  const starts = lists.flatMap((list) =>
    list.length > maximum ? [list[list.length - maximum]?.at ?? ""] : [],
  );
  const from = starts.sort(compare).at(-1) ?? null;
  // Of occasions of one moment, more than there may be are still cut.
  return {
    lists: lists.map((list) => list.filter(({ at }) => from === null || at >= from).slice(-maximum)),
    from,
  };
}

const HOUR_MS = 3_600_000;
/** The longest rhythm that hangs on when a schedule begins: every other week. */
const RHYTHM_DAYS = 14;
const RHYTHM_MS = RHYTHM_DAYS * 24 * HOUR_MS;

/**
 * The times between two moments at which a version would have run by its schedule, in order, as if the schedule had begun
 * before the first of them; empty where it has none. What runs once runs when it says.
 * @returns ISO 8601; one more than is simulated where there are too many, the latest of them
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
  // Clocks that have changed in between may show another day, and so another week's turn.
  const drift = dayAt(earlier, schedule.timeZone) - dayAt(start, schedule.timeZone) + rhythms * RHYTHM_DAYS;
  return { ...schedule, startAt: new Date(earlier - drift * HOUR_MS).toISOString() };
}
