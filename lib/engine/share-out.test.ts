import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { percentageOf, shareOut, unitsOf } from "@/lib/engine/share-out";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { centsArbitrary, splitArbitrary } from "@/lib/testing/rules/rule-arbitraries";

vi.setConfig({ testTimeout: 600_000 });

const AT_SIZE = { numRuns: proofSize(1_000, 10_000), seed: proofSeed };
const ALL_UNITS = 1_000_000;

describe("splitting", () => {
  it("conserves cents: the shares add up to the total percentage, and 100% leaves nothing", () => {
    fc.assert(
      fc.property(centsArbitrary, splitArbitrary, (base, parts) => {
        const shares = shareOut(base, parts);
        const units = parts.reduce((sum, part) => sum + unitsOf(part), 0);
        const whole = (BigInt(base) * BigInt(units)) / BigInt(ALL_UNITS);
        expect(shares.reduce((sum, share) => sum + BigInt(share), 0n)).toBe(whole);
        if (units === ALL_UNITS) expect(whole).toBe(BigInt(base));
      }),
      AT_SIZE,
    );
  });

  it("gives each share its part rounded down or up", () => {
    fc.assert(
      fc.property(centsArbitrary, splitArbitrary, (base, parts) => {
        for (const [index, share] of shareOut(base, parts).entries()) {
          const product = BigInt(base) * BigInt(unitsOf(parts[index] ?? 0));
          const down = product / BigInt(ALL_UNITS);
          const up = product % BigInt(ALL_UNITS) === 0n ? down : down + 1n;
          expect([down, up]).toContain(BigInt(share));
        }
      }),
      AT_SIZE,
    );
  });

  it("gives leftover cents to the largest remainders, the earlier one in a tie", () => {
    fc.assert(
      fc.property(centsArbitrary, splitArbitrary, (base, parts) => {
        const remainders = shareOut(base, parts).map((share, index) => {
          const product = BigInt(base) * BigInt(unitsOf(parts[index] ?? 0));
          return {
            remainder: product % BigInt(ALL_UNITS),
            got: BigInt(share) > product / BigInt(ALL_UNITS),
          };
        });
        const inOrder = [...remainders].sort((one, other) =>
          one.remainder === other.remainder ? 0 : one.remainder > other.remainder ? -1 : 1,
        );
        const lastThatGot = inOrder.findLastIndex(({ got }) => got);
        expect(inOrder.slice(0, lastThatGot + 1).every(({ got }) => got)).toBe(true);
      }),
      AT_SIZE,
    );
  });

  it("never gives a larger percentage less than a smaller one", () => {
    fc.assert(
      fc.property(centsArbitrary, splitArbitrary, (base, parts) => {
        const shares = shareOut(base, parts);
        const bySize = parts.map((part, index) => ({ part, share: shares[index] ?? 0, index }));
        bySize.sort((one, other) => one.part - other.part || other.index - one.index);
        for (const [index, { share }] of bySize.entries()) {
          expect(share).toBeGreaterThanOrEqual(bySize[index - 1]?.share ?? 0);
        }
      }),
      AT_SIZE,
    );
  });

  it("of a single share gives the percentage, rounded down", () => {
    fc.assert(
      fc.property(centsArbitrary, fc.integer({ min: 1, max: ALL_UNITS }), (base, units) => {
        expect(shareOut(base, [units / 10_000])).toEqual([percentageOf(base, units / 10_000)]);
      }),
      AT_SIZE,
    );
  });

  // By hand: base, percentages, shares.
  it.each([
    // 33.33 → 3 × 33, one cent left, remainders equal: the first gets it.
    [100, [33.3333, 33.3333, 33.3334], [33, 33, 34]],
    // 0.333333, 0.333333, 0.333334 of one cent: the largest remainder is the last.
    [1, [33.3333, 33.3333, 33.3334], [0, 0, 1]],
    // 50 % of 101 is 50.5 twice: equal remainders, the earlier gets the cent.
    [101, [50, 50], [51, 50]],
    // 25.25 each; floors are 100 together, and 101 must be split: one extra cent, to the first.
    [101, [25, 25, 25, 25], [26, 25, 25, 25]],
    // 60 % = 0.6, 40 % = 0.4 of one cent.
    [1, [60, 40], [1, 0]],
    // 12.345, 8.23, 20.575 of 41.15 whole: floors 12, 8, 20 = 40; 41 are due; the remainder .575 is the largest.
    [123, [10.0366, 6.6911, 16.7276], [12, 8, 21]],
    // 10 % of 99 is 9.9: nobody else is there to get the part of a cent, so it stays.
    [99, [10], [9]],
    [0, [50, 50], [0, 0]],
    // The largest amount there is, in thirds of the smallest step: 33333300000000 twice, 33333400000000.
    [
      100_000_000_000_000,
      [33.3333, 33.3333, 33.3334],
      [33_333_300_000_000, 33_333_300_000_000, 33_333_400_000_000],
    ],
    // 99999999999999 × 0.333333 = 33333299999999.666667 twice, × 0.333334 = 33333399999999.666666: two cents are left.
    [
      99_999_999_999_999,
      [33.3333, 33.3333, 33.3334],
      [33_333_300_000_000, 33_333_300_000_000, 33_333_399_999_999],
    ],
  ])("of %i in %j is %j", (base, parts, shares) => {
    expect(shareOut(base, parts)).toEqual(shares);
  });
});
