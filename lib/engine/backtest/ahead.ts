import type { AccountFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { atOnce } from "@/lib/engine/at-once";
import {
  isManaged,
  latestOccasions,
  MAXIMUM_OCCASIONS,
  maximumOccasions,
  occasionsOf,
  type RuleHistory,
} from "@/lib/engine/backtest/occasions";
import { type Simulation, simulating } from "@/lib/engine/backtest/simulate";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { occurrencesBetween } from "@/lib/engine/schedule/occurrences";

/** Whole weeks, so that movements keep their weekday. */
export const WEEKS_AHEAD = 13;
const AHEAD_MS = WEEKS_AHEAD * 7 * 86_400_000;

/** What the accounts and limits are at the end of a history. */
export interface PresentFacts {
  accounts: Readonly<Record<string, AccountFacts>>;
  /** Usage of each limit in its current period, by id. */
  limitsUsedInCents: Readonly<Record<string, number>>;
}

/**
 * The 13 weeks after a history, assuming that everything except the rule repeats: the same movements and runs on
 * demand, 13 weeks later, starting from today's balances. Transfers that the rule replaces do not repeat. Pure.
 */
export function historyAhead(history: RuleHistory, present: PresentFacts): RuleHistory {
  const later = (at: string) => new Date(Date.parse(at) + AHEAD_MS).toISOString();
  const from = history.until;
  const today = calendarDate(new Date(from), history.timeZone);
  const accounts = Object.entries(present.accounts);
  return {
    from,
    until: later(from),
    timeZone: history.timeZone,
    accounts: Object.fromEntries(accounts.map(([id, account]) => [id, withoutPending(account)])),
    events: history.events
      .filter(({ isReplaced }) => !isReplaced)
      .map((event) => ({ ...event, at: later(event.at) }))
      // Excludes transfers that were in progress when the history began.
      .filter(({ at }) => at > from),
    asked: history.asked.map((run) => ({ ...run, at: later(run.at) })),
    limitsUsedInCents: present.limitsUsedInCents,
    paidBefore: Object.fromEntries(
      accounts.flatMap(([id, { paid }]) => {
        const amountInCents = Math.max(paid?.ofStatementInCents ?? 0, paid?.ofMinimumInCents ?? 0);
        return amountInCents > 0 ? [[id, { date: today, amountInCents }]] : [];
      }),
    ),
  };
}

/** Simulations have no pending transfers: outgoing money counts as gone. */
function withoutPending(account: AccountFacts): AccountFacts {
  if (!isManaged(account)) return account;
  const balanceInCents = account.availableInCents ?? account.balanceInCents;
  return { ...account, balanceInCents, availableInCents: balanceInCents, onItsWayInCents: 0 };
}

/** What a version would move in the weeks after a history. Pure. @throws Error see `simulate` */
export function simulateAhead(
  version: Pick<RuleDefinition, "trigger" | "steps" | "limits">,
  history: RuleHistory,
  present: PresentFacts,
): Simulation {
  return atOnce(simulatingAhead(version, history, present));
}

/** As `simulateAhead`; may be interrupted before each run. */
export function* simulatingAhead(
  version: Pick<RuleDefinition, "trigger" | "steps" | "limits">,
  history: RuleHistory,
  present: PresentFacts,
): Generator<void, Simulation> {
  const ahead = historyAhead(history, present);
  const { trigger } = version;
  const times =
    trigger.type === "SCHEDULED"
      ? occurrencesBetween(trigger.schedule, new Date(ahead.from), new Date(ahead.until), MAXIMUM_OCCASIONS)
      : [];
  const occasions = occasionsOf(
    version,
    ahead,
    times.map((time) => time.toISOString()),
  );
  const maximum = maximumOccasions([version], Object.keys(ahead.accounts).length);
  return yield* simulating(version, ahead, latestOccasions([occasions], maximum).lists[0] ?? []);
}
