import fc from "fast-check";
import { expect, test } from "vitest";
import { axisAmount, balanceGeometry, HEIGHT, PLOT_WIDTH } from "@/components/accounts/balance-chart";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const at = (day: number) => new Date(Date.UTC(2026, 9, 1 + day)).toISOString();

test("a balance is drawn in steps: it stays level until it changes", () => {
  const { line, last } = balanceGeometry(
    [
      { at: at(0), balanceInCents: 0 },
      { at: at(15), balanceInCents: 300_000 },
      { at: at(30), balanceInCents: 300_000 },
    ],
    null,
  );
  expect(line).toBe("M0 170.5H0V170.5H294V20.5H588V20.5");
  expect(last).toEqual({ x: PLOT_WIDTH, y: 20.5 });
});

test("the grid has three or four round amounts, including zero", () => {
  const { grid } = balanceGeometry(
    [
      { at: at(0), balanceInCents: 1_500_000 },
      { at: at(30), balanceInCents: 1_842_055 },
    ],
    800_000,
  );
  expect(grid.map(({ amountInCents }) => axisAmount(amountInCents))).toEqual(["$0", "$8k", "$16k", "$24k"]);
});

test("every balance, even below zero, and the floor are inside the drawing", () => {
  const cents = fc.integer({ min: -100_000_000, max: 10_000_000_000_000 });
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 20 }),
      fc.option(fc.nat(1e13)),
      (balances, floor) => {
        const [first = 0, ...rest] = balances;
        const points = rest.map((balanceInCents, index) => ({ at: at(index + 1), balanceInCents }));
        const geometry = balanceGeometry([{ at: at(0), balanceInCents: first }, ...points], floor);
        const heights = [...geometry.line.matchAll(/V(-?[\d.]+)/g)].map((match) => Number(match[1]));
        for (const y of [...heights, geometry.zeroY, geometry.floorY ?? 100, geometry.last.y]) {
          expect(y).toBeGreaterThanOrEqual(20.5);
          expect(y).toBeLessThan(HEIGHT);
        }
        expect(geometry.grid.length).toBeGreaterThanOrEqual(2);
        expect(geometry.grid.length).toBeLessThanOrEqual(4);
      },
    ),
    { numRuns: proofSize(300, 10_000), seed: proofSeed },
  );
});
