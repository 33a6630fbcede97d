import { expect, test } from "vitest";
import { claimOf, figuresOf, median, percentile, ratio } from "./figures";

test("a rate includes the time until everything it started has ended, and each statement is a round trip", () => {
  const figures = figuresOf({
    latenciesMs: [4, 1, 3, 2],
    seconds: 2,
    drainSeconds: 2,
    statements: [
      { text: "select 1", calls: 6, meanMs: 1 },
      { text: "select 2", calls: 2, meanMs: 5 },
    ],
  });
  expect(figures).toEqual({
    requests: 4,
    perSecond: 2,
    completedPerSecond: 1,
    p50Ms: 2,
    p99Ms: 4,
    roundTrips: 2,
    databaseMs: 4,
  });
});

test("percentiles and medians come from the measured values, whatever their number", () => {
  expect(percentile([1, 2, 3], 0.5)).toBe(2);
  expect(percentile([7], 0.99)).toBe(7);
  expect(percentile([], 0.99)).toBe(0);
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBe(0);
});

test("a ratio needs a limit", () => {
  expect(ratio(50, 100)).toBe(0.5);
  expect(ratio(50, null)).toBeNull();
  expect(ratio(50, 0)).toBeNull();
});

test("one disturbed round decides nothing, and an equal number is enough", () => {
  expect(claimOf([1_000, 1_000, 100], [1_000, 200, 1_100]).holds).toBe(true);
  expect(claimOf([1_000, 1_000, 1_000], [999, 999, 2_000]).holds).toBe(false);
});
