import { expect, test } from "vitest";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { ruleTriggerSchema } from "@/lib/contract/rules/trigger";
import { MAXIMUM_OCCASIONS, scheduledTimes } from "@/lib/engine/backtest/occasions";
import { occurrencesBetween } from "@/lib/engine/schedule/occurrences";

const schedule = { timeZone: "America/New_York", time: "00:30" };

function trigger(fields: object): RuleDefinition["trigger"] {
  const accountId = "00000000-0000-4000-8000-000000000001";
  return ruleTriggerSchema.parse({ type: "SCHEDULED", accountId, schedule: { ...schedule, ...fields } });
}

test("a schedule that starts later counts as if it had started before, in its own cycle", () => {
  // From summer time back into winter, and the other way.
  for (const [startAt, from, until] of [
    ["2026-04-06T04:00:00Z", "2026-01-05T00:00:00.000Z", "2026-04-05T00:00:00.000Z"],
    ["2026-11-09T05:00:00Z", "2026-08-10T00:00:00.000Z", "2026-11-08T00:00:00.000Z"],
  ] as const) {
    const every = (fields: object) => trigger({ frequency: "EVERY_OTHER_WEEK", dayOfWeek: 1, ...fields });
    const later = every({ startAt });
    const times = scheduledTimes({ trigger: later }, from, until);
    expect(times.length).toBeGreaterThanOrEqual(6);
    // The last one is two weeks before the first that the schedule has of itself.
    if (later.type !== "SCHEDULED") throw new Error("unreachable");
    const [first] = occurrencesBetween(later.schedule, new Date(until), new Date("2026-12-31T00:00:00Z"), 1);
    const gapDays = ((first?.getTime() ?? 0) - Date.parse(times.at(-1) ?? "")) / 86_400_000;
    // By the clock on the wall: an hour more or less where clocks changed in between.
    expect(Math.round(gapDays)).toBe(14);
  }
});

test("a one-time schedule keeps its time, and a rule without a schedule has none", () => {
  const from = "2026-08-23T00:00:00.000Z";
  const until = "2026-11-21T00:00:00.000Z";
  const once = (startAt: string) => ({ trigger: trigger({ frequency: "ONE_TIME", startAt }) });
  expect(scheduledTimes(once("2026-12-01T09:00:00Z"), from, until)).toEqual([]);
  expect(scheduledTimes(once("2026-10-01T09:00:00Z"), from, until)).toHaveLength(1);
  const manual = { type: "MANUAL", accountId: "00000000-0000-4000-8000-000000000001" } as const;
  expect(scheduledTimes({ trigger: manual }, from, until)).toEqual([]);
});

test("of too many times, the latest are used, one more than is simulated", () => {
  const often = trigger({
    frequency: "CRON",
    cron: "*/15 * * * *",
    time: undefined,
    startAt: "2026-01-01T00:00:00Z",
  });
  const times = scheduledTimes({ trigger: often }, "2026-08-23T00:00:00.000Z", "2026-11-21T00:00:00.000Z");
  expect(times).toHaveLength(MAXIMUM_OCCASIONS + 1);
  expect(times.at(-1)).toBe("2026-11-21T00:00:00.000Z");
});
