import { describe, expect, it } from "vitest";
import { SCHEDULE_WIDTH, scheduleMarks } from "@/components/webhooks/schedule-geometry";

const START = Date.parse("2026-11-20T13:40:05Z");
const seconds = (count: number) => new Date(START + count * 1_000).toISOString();
const failed = (count: number) => ({ at: seconds(count), problem: "STATUS" });

const RETRYING = {
  attempts: [failed(0), failed(5), failed(305), failed(2_105)],
  nowAt: seconds(6_000),
  nextAttempts: [seconds(9_305), seconds(27_305), seconds(63_305), seconds(84_905)],
};

describe("the drawing of a schedule", () => {
  it("keeps the order of time, so that what comes never stands before what was", () => {
    const marks = scheduleMarks(RETRYING);
    expect(marks.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 4 }, () => "FAILED"),
      "NOW",
      ...Array.from({ length: 4 }, () => "NEXT"),
    ]);
    const xs = marks.map(({ x }) => x);
    expect(xs).toEqual([...xs].sort((left, right) => left - right));
    expect(new Set(xs).size).toBe(xs.length);
  });

  it("stays on the line, and uses all of it", () => {
    const xs = scheduleMarks(RETRYING).map(({ x }) => x);
    expect(xs[0]).toBe(8);
    expect(xs.at(-1)).toBe(SCHEDULE_WIDTH - 8);
  });

  it("writes no time over another, and always the last", () => {
    const marks = scheduleMarks(RETRYING);
    const labelled = marks.filter(({ hasLabel }) => hasLabel).map(({ x }) => x);
    for (const [index, x] of labelled.slice(1).entries()) {
      expect(x - (labelled[index] ?? 0)).toBeGreaterThanOrEqual(44);
    }
    expect(marks.at(-1)?.hasLabel).toBe(true);
  });

  it("draws one that is due and not yet sent at now, not before it", () => {
    const [, now, next] = scheduleMarks({
      attempts: [failed(0)],
      nowAt: seconds(6),
      nextAttempts: [seconds(5)],
    });
    expect(now?.kind).toBe("NOW");
    expect(next?.x).toBeGreaterThan(now?.x ?? 0);
  });

  it("draws what has ended without a now", () => {
    const marks = scheduleMarks({
      attempts: [failed(0), { at: seconds(5), problem: null }],
      nowAt: seconds(9_000),
      nextAttempts: [],
    });
    expect(marks.map(({ kind }) => kind)).toEqual(["FAILED", "DELIVERED"]);
  });

  it("shows the last ten of a delivery that was sent again many times", () => {
    const attempts = Array.from({ length: 50 }, (_, index) => failed(index * 60));
    const marks = scheduleMarks({ attempts, nowAt: seconds(9_000), nextAttempts: [] });
    expect(marks).toHaveLength(10);
    expect(marks.at(-1)?.at).toBe(seconds(49 * 60));
  });

  it("draws nothing of nothing", () => {
    expect(scheduleMarks({ attempts: [], nowAt: seconds(0), nextAttempts: [] })).toEqual([]);
  });
});
