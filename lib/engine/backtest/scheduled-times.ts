import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { RuleSchedule } from "@/lib/contract/rules/trigger";
import { MAXIMUM_OCCASIONS } from "@/lib/engine/backtest/occasions";
import { latestOccurrences } from "@/lib/engine/schedule/occurrences";
import { dayAt } from "@/lib/engine/schedule/wall-clock";

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
