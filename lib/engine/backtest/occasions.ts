import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleHistory } from "@/lib/engine/backtest/history";

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
