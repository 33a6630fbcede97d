import fc from "fast-check";
import { expect, test } from "vitest";
import {
  axisValue,
  barShares,
  type ChartSeries,
  type ChartSpec,
  columnsOf,
  scaleOf,
  tickedRows,
} from "@/components/charts/chart-spec";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const SHAPES = ["STEPS", "BAR", "LINE", "MARK"] as const;
const value = fc.integer({ min: -100_000_000, max: 10_000_000_000_000 });

/** Any chart: shapes beside each other, bars stacked or not, amounts or counts. */
const anyChart: fc.Arbitrary<ChartSpec> = fc
  .record({
    unit: fc.constantFrom("CENTS" as const, "COUNT" as const),
    series: fc.array(
      fc.record({ shape: fc.constantFrom(...SHAPES), stack: fc.constantFrom(undefined, "a", "b") }),
      { minLength: 1, maxLength: 5 },
    ),
    rows: fc.array(fc.array(value, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 95 }),
    level: fc.option(value, { nil: undefined }),
  })
  .map(({ unit, series, rows, level }) => ({
    unit,
    series: series.map(
      ({ shape, stack }, index): ChartSeries => ({
        name: `series ${index}`,
        shape,
        color: "chart-1",
        ...(stack !== undefined && { stack }),
      }),
    ),
    rows: rows.map((values, index) => ({ label: `row ${index}`, tick: `${index}`, values })),
    ...(level !== undefined && { level: { label: "Floor", value: level } }),
  }));

const check = (holds: (spec: ChartSpec) => void) =>
  fc.assert(fc.property(anyChart, holds), { numRuns: proofSize(200, 10_000), seed: proofSeed });

test("the axis has two to four round values, zero among them, and contains everything drawn", () => {
  check((spec) => {
    const { bottom, top, ticks } = scaleOf(spec);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(4);
    expect(ticks).toContain(0);
    expect([ticks[0], ticks.at(-1)]).toEqual([bottom, top]);
    if (spec.level) expect(spec.level.value).toBeLessThanOrEqual(top);
    if (spec.level) expect(spec.level.value).toBeGreaterThanOrEqual(bottom);
    for (const { values } of spec.rows) {
      for (const members of columnsOf(spec.series)) {
        const parts = members.map((index) => values[index] ?? 0);
        const up = parts.filter((part) => part > 0).reduce((sum, part) => sum + part, 0);
        const down = parts.filter((part) => part < 0).reduce((sum, part) => sum + part, 0);
        expect(up).toBeLessThanOrEqual(top);
        expect(down).toBeGreaterThanOrEqual(bottom);
      }
      for (const [index, { shape }] of spec.series.entries()) {
        if (shape !== "STEPS" && shape !== "LINE") continue;
        expect(values[index]).toBeLessThanOrEqual(top);
        expect(values[index]).toBeGreaterThanOrEqual(bottom);
      }
    }
  });
});

test("the bars of a row stay apart from those of the next", () => {
  check((spec) => {
    const columns = columnsOf(spec.series).length;
    const { bar, gap } = barShares(spec);
    expect(bar).toBeGreaterThan(0);
    expect(columns * bar + (columns - 1) * gap).toBeLessThan(0.8);
  });
});

test("three or four of many rows have a date on the axis, first and last among them", () => {
  expect(tickedRows(0, 29, true)).toEqual([0, 10, 19, 29]);
  expect(tickedRows(0, 12, true)).toHaveLength(13);
  expect(tickedRows(0, 11, false)).toEqual([0, 4, 7, 11]);
  expect(tickedRows(20, 24, false)).toEqual([20, 21, 22, 23, 24]);
});

test("amounts on the axis are short, counts are whole", () => {
  expect([0, 800_000, 120_000_000, -50_000].map((cents) => axisValue("CENTS", cents))).toEqual([
    "$0",
    "$8k",
    "$1.2M",
    "−$500",
  ]);
  const counts = scaleOf({
    unit: "COUNT",
    rows: [{ label: "", tick: "", values: [3] }],
    series: [{ name: "Runs", shape: "BAR", color: "chart-1" }],
  });
  expect(counts.ticks.map((tick) => axisValue("COUNT", tick))).toEqual(["0", "1", "2", "3"]);
});
