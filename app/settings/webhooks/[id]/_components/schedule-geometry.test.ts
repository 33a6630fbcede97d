import { describe, expect, it } from "vitest";
import { SCHEDULE_WIDTH, scheduleMarks } from "@/app/settings/webhooks/[id]/_components/schedule-geometry";

const START = Date.parse("2026-11-20T13:40:05Z");
const seconds = (count: number) => new Date(START + count * 1_000).toISOString();
const failed = (count: number) => ({ at: seconds(count), problem: "STATUS" });

const RETRYING = {
  attempts: [failed(0), failed(5), failed(305), failed(2_105)],
  nowAt: seconds(6_000),
  nextAttempts: [seconds(9_305), seconds(27_305), seconds(63_305), seconds(84_905)],
};

describe("the drawing of a schedule", () => {
  it("keeps chronological order", () => {
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

  it("uses the whole line, and no more", () => {
    const xs = scheduleMarks(RETRYING).map(({ x }) => x);
    expect(xs[0]).toBe(8);
    expect(xs.at(-1)).toBe(SCHEDULE_WIDTH - 8);
  });

  it("never overlaps times, and always shows the last", () => {
    const marks = scheduleMarks(RETRYING);
    const labeled = marks.filter(({ hasLabel }) => hasLabel).map(({ x }) => x);
    for (const [index, x] of labeled.slice(1).entries()) {
      expect(x - (labeled[index] ?? 0)).toBeGreaterThanOrEqual(44);
    }
    expect(marks.at(-1)?.hasLabel).toBe(true);
  });

  it("draws a due, unsent attempt at now, not before", () => {
    const [, now, next] = scheduleMarks({
      attempts: [failed(0)],
      nowAt: seconds(6),
      nextAttempts: [seconds(5)],
    });
    expect(now?.kind).toBe("NOW");
    expect(next?.x).toBeGreaterThan(now?.x ?? 0);
  });

  it("draws an ended delivery without a now", () => {
    const marks = scheduleMarks({
      attempts: [failed(0), { at: seconds(5), problem: null }],
      nowAt: seconds(9_000),
      nextAttempts: [],
    });
    expect(marks.map(({ kind }) => kind)).toEqual(["FAILED", "DELIVERED"]);
  });

  it("shows the last ten of many attempts", () => {
    const attempts = Array.from({ length: 50 }, (_, index) => failed(index * 60));
    const marks = scheduleMarks({ attempts, nowAt: seconds(9_000), nextAttempts: [] });
    expect(marks).toHaveLength(10);
    expect(marks.at(-1)?.at).toBe(seconds(49 * 60));
  });

  it("draws nothing without attempts", () => {
    expect(scheduleMarks({ attempts: [], nowAt: seconds(0), nextAttempts: [] })).toEqual([]);
  });
});
