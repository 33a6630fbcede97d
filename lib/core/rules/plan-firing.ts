import type { RuleSchedule } from "@/lib/contract/rules/trigger";
import { latestOccurrences, nextOccurrence } from "@/lib/engine/schedule/occurrences";

/** A scheduled time without a run. More than one of `times`: a stretch that ends with `at`. */
export interface SkippedTime {
  at: Date;
  times: number;
}

/** Why a rule whose time has come does not run at all. */
export type StopReason = "PAUSED" | "GATES_CLOSED";

export interface Firing {
  /** The latest time that was missed; null: nothing runs now. */
  run: Date | null;
  skipped: SkippedTime[];
  reason: "DOWNTIME" | StopReason;
  /** Null: nothing is left to run. */
  nextRunAt: Date | null;
}

/** Of so many each has a row of its own; older ones share one. */
const SINGLE_SKIPS = 100;
/** A rule of every minute that nobody ran for a year would count half a million; its row says "10,000" then. */
const MAXIMUM_SKIPS_COUNTED = 10_000;

/**
 * What is to be done about the scheduled times since they were last accounted for: one run, for the latest of them, and
 * a record of the others; while a return has paused the rule, or all gates are closed, a record of all.
 *
 * Source: decisions page, "Schedules" after downtime.
 * @param since nothing at or before it counts
 * @param now business time
 */
export function planFiring(
  schedule: RuleSchedule,
  { since, now, stoppedBecause }: { since: Date; now: Date; stoppedBecause: StopReason | null },
): Firing {
  const earliest = new Date(since.getTime() + 1);
  const missed = latestOccurrences(schedule, now, earliest, SINGLE_SKIPS + MAXIMUM_SKIPS_COUNTED + 1);
  const skipped = stoppedBecause ? missed : missed.slice(1);
  const singles = skipped.slice(0, SINGLE_SKIPS).map((at) => ({ at, times: 1 }));
  const rest = skipped.slice(SINGLE_SKIPS, SINGLE_SKIPS + MAXIMUM_SKIPS_COUNTED);
  const [latestOfRest] = rest;
  return {
    run: stoppedBecause ? null : (missed[0] ?? null),
    skipped: latestOfRest ? [...singles, { at: latestOfRest, times: rest.length }] : singles,
    reason: stoppedBecause ?? "DOWNTIME",
    nextRunAt: nextOccurrence(schedule, now),
  };
}
