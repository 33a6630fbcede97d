import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { basinLevels, fillPercent, roundUp } from "@/components/sluice/page-sluice";

const holding = (nowInCents: number | null) => ({ nowInCents });

describe("levels of the two basins", () => {
  test("a waiting transfer shows the band in the source and in the destination", () => {
    const levels = basinLevels(holding(1_842_055), holding(931_000), 425_000, true);
    expect(levels.source).toEqual({ waterPercent: 70.9, bandBottomPercent: 70.9, bandPercent: 21.3 });
    expect(levels.destination).toEqual({ waterPercent: 46.6, bandBottomPercent: 46.6, bandPercent: 21.3 });
  });

  test("without a pending amount there is no band", () => {
    const levels = basinLevels(holding(1_842_055), holding(931_000), 425_000, false);
    expect(levels.source).toEqual({ waterPercent: 92.1, bandBottomPercent: 92.1, bandPercent: 0 });
    expect(levels.destination.bandPercent).toBe(0);
  });

  test("a source with too little money shows only what it has", () => {
    const { source } = basinLevels(holding(100_000), holding(0), 425_000, true);
    expect(source.waterPercent).toBe(0);
    expect(source.bandPercent).toBe(fillPercent(100_000, roundUp(425_000)));
  });

  test("an unknown balance draws no water", () => {
    const levels = basinLevels(holding(null), holding(null), 425_000, true);
    expect(levels.source.waterPercent).toBe(0);
    expect(levels.destination.waterPercent).toBe(0);
  });

  test("no level overflows its basin, whatever the balances", () => {
    const balance = fc.option(fc.integer({ min: -10_000_000, max: 10_000_000_000 }), { nil: null });
    fc.assert(
      fc.property(
        balance,
        balance,
        fc.integer({ min: 100, max: 1_000_000_000 }),
        fc.boolean(),
        (from, to, amount, pending) => {
          const { source, destination } = basinLevels(holding(from), holding(to), amount, pending);
          for (const { waterPercent, bandPercent } of [source, destination]) {
            expect(waterPercent).toBeGreaterThanOrEqual(0);
            expect(bandPercent).toBeGreaterThanOrEqual(0);
            expect(waterPercent + bandPercent).toBeLessThanOrEqual(100.1);
          }
        },
      ),
    );
  });

  test("the scale leaves room above the highest level", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000_000 }), (amount) => {
        expect(roundUp(amount)).toBeGreaterThan(amount);
        expect(roundUp(amount)).toBeLessThanOrEqual(amount * 2);
      }),
    );
  });
});
