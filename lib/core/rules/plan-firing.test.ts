import fc from "fast-check";
import { expect, it } from "vitest";
import { ruleScheduleSchema } from "@/lib/contract/rules/trigger";
import { planFiring } from "@/lib/core/rules/fire-schedules";
import { nextOccurrence, occurrencesBetween } from "@/lib/engine/schedule/occurrences";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

/**
 * Goal: every scheduled time since the activation has run or is recorded, once, and each round starts at most one run, for
 * the latest time. Method: a worker that polls at random moments, with downtime, and a rule that is paused occasionally.
 */
const HOUR_MS = 3_600_000;
const ACTIVATED_AT = new Date("2026-02-20T12:00:00Z");

const someSchedule = fc
  .constantFrom(
    { frequency: "DAILY", time: "02:30" },
    { frequency: "WEEKLY", dayOfWeek: 1, onNonBankingDay: "NEXT_BANKING_DAY" },
    { frequency: "TWICE_A_MONTH", daysOfMonth: [15, -1] },
    { frequency: "ONE_TIME", startAt: "2026-03-08T00:00:00Z" },
    { frequency: "CRON", cron: "0 */6 * * *" },
    { frequency: "CRON", cron: "*/10 9-17 * * 1-5" },
  )
  .map((schedule) =>
    ruleScheduleSchema.parse({ startAt: "2026-01-01T00:00:00Z", timeZone: "America/New_York", ...schedule }),
  );

const someLooks = fc.array(
  fc.record({ afterHours: fc.double({ min: 0, max: 400, noNaN: true }), isPaused: fc.boolean() }),
  { minLength: 1, maxLength: 8 },
);

it("every scheduled time since the activation runs or is recorded, once", () => {
  fc.assert(
    fc.property(someSchedule, someLooks, (schedule, looks) => {
      let since = ACTIVATED_AT;
      let nextRunAt = nextOccurrence(schedule, ACTIVATED_AT);
      let accounted = 0;
      for (const { afterHours, isPaused } of looks) {
        const now = new Date(since.getTime() + Math.floor(afterHours * HOUR_MS));
        const firing = planFiring(schedule, { since, now, stoppedBecause: isPaused ? "PAUSED" : null });
        const passed = occurrencesBetween(schedule, since, now, 10_000);
        // The worker polls only when the next time is due.
        expect(passed.length > 0).toBe(nextRunAt !== null && nextRunAt <= now);
        expect(firing.run).toEqual(isPaused ? null : (passed.at(-1) ?? null));
        const times = firing.skipped.reduce((sum, skip) => sum + skip.times, 0) + (firing.run ? 1 : 0);
        expect(times).toBe(passed.length);
        const reported = new Set(firing.skipped.map(({ at }) => at.getTime()));
        expect(reported.size).toBe(firing.skipped.length);
        const passedTimes = new Set(passed.map((at) => at.getTime()));
        expect([...reported].every((at) => passedTimes.has(at))).toBe(true);
        expect(firing.nextRunAt).toEqual(nextOccurrence(schedule, now));
        accounted += times;
        since = now;
        nextRunAt = firing.nextRunAt;
      }
      expect(accounted).toBe(occurrencesBetween(schedule, ACTIVATED_AT, since, 100_000).length);
    }),
    { seed: proofSeed, numRuns: proofSize(100, 2_000) },
  );
}, 240_000);
