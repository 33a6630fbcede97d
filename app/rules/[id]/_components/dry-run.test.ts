import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sliderScale } from "@/app/rules/[id]/_components/dry-run";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";

const cents = fc.integer({ min: 0, max: MAXIMUM_TRANSFER_IN_CENTS });

describe("the slider of a dry run", () => {
  it("covers the initial amount and every mark, and ends at a round amount", () => {
    expect(sliderScale(620_000, [{ atInCents: 100_000, stepIndex: 0 }])).toEqual({
      maximumInCents: 1_000_000,
      stepInCents: 1_000,
      marks: [{ atInCents: 100_000, stepIndex: 0, position: 0.1, isLabeled: true }],
      isStartLabeled: true,
    });
    fc.assert(
      fc.property(cents, fc.array(cents, { maxLength: 60 }), (initial, amounts) => {
        const scale = sliderScale(
          initial,
          amounts.map((atInCents) => ({ atInCents, stepIndex: 0 })),
        );
        expect(scale.maximumInCents).toBeGreaterThanOrEqual(Math.max(initial, ...amounts));
        expect(Number.isSafeInteger(scale.maximumInCents)).toBe(true);
        expect(scale.maximumInCents % scale.stepInCents).toBe(0);
        expect(scale.marks.every(({ position }) => position >= 0 && position <= 1)).toBe(true);
      }),
    );
  });

  it("never overlaps labels", () => {
    const near = [100_000, 110_000, 500_000].map((atInCents, stepIndex) => ({ atInCents, stepIndex }));
    expect(sliderScale(0, near).marks.map(({ isLabeled }) => isLabeled)).toEqual([true, false, true]);
    const low = [
      { atInCents: 10_000, stepIndex: null },
      { atInCents: 50_000, stepIndex: 0 },
    ];
    const scale = sliderScale(0, low);
    expect(scale.marks.map(({ isLabeled }) => isLabeled)).toEqual([false, true]);
    expect(scale.isStartLabeled).toBe(false);
  });
});
