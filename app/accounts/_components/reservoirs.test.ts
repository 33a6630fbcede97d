import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BED_Y, BRIM_Y, reservoirs, WIDTH } from "@/app/accounts/_components/reservoirs";

const basin = (balanceInCents: number, goalInCents: number | null = null, hasWaiting = false) => ({
  id: String(balanceInCents),
  balanceInCents,
  goalInCents,
  hasWaiting,
});

describe("the drawing of all accounts", () => {
  test("levels are in proportion to balances", () => {
    const { basins } = reservoirs([basin(100_000), basin(200_000), basin(50_000)]);
    const heights = basins.map(({ waterHeight }) => waterHeight);
    expect(heights[1]).toBeCloseTo(2 * (heights[0] ?? 0), 0);
    expect(heights[2]).toBeCloseTo(0.5 * (heights[0] ?? 0), 0);
  });

  test("a goal is a line on the same scale, even above every balance", () => {
    const { basins } = reservoirs([basin(784_520, 1_200_000)]);
    const [profit] = basins;
    expect(profit?.goalY).toBeGreaterThanOrEqual(BRIM_Y);
    expect(profit?.goalY).toBeLessThan(profit?.waterY ?? 0);
  });

  test("only the gate after an account with pending money is amber", () => {
    const { gates } = reservoirs([basin(1, null, true), basin(2), basin(3)]);
    expect(gates.map(({ isAmber }) => isAmber)).toEqual([true, false]);
  });

  test("a negative balance draws no water", () => {
    const [overdrawn] = reservoirs([basin(-5_000), basin(10_000)]).basins;
    expect(overdrawn).toMatchObject({ waterHeight: 0, waterY: BED_Y });
  });

  test("any number of basins fits in the drawing", () => {
    const balances = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000_000 }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(balances, (amounts) => {
        const drawn = reservoirs(amounts.map((amount) => basin(amount)));
        for (const { x, waterY } of drawn.basins) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + drawn.basinWidth).toBeLessThanOrEqual(WIDTH + 0.2);
          expect(waterY).toBeGreaterThanOrEqual(BRIM_Y);
        }
      }),
    );
  });
});
