import fc from "fast-check";
import { expect, test } from "vitest";
import { flowChartGeometry, HEIGHT, WIDTHS } from "@/components/profile/flow-chart";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const month = fc
  .tuple(fc.nat(1_000_000_000), fc.nat(1_000_000_000))
  .map(([inInCents, outInCents]) => ({ inInCents, outInCents, netInCents: inInCents - outInCents }));

test("up to thirteen months fit side by side, each bar as high as its amount", () => {
  fc.assert(
    fc.property(
      fc.array(month, { minLength: 1, maxLength: 13 }),
      fc.constantFrom(WIDTHS.WIDE, WIDTHS.NARROW),
      (months, width) => {
        const { months: placed, zeroY, plotWidth } = flowChartGeometry(months, width);
        let end = 0;
        for (const [index, { in: bar, out, netY }] of placed.entries()) {
          expect(bar.x).toBeGreaterThanOrEqual(end - 0.2);
          expect(bar.x + bar.width).toBeLessThan(out.x);
          end = out.x + out.width;
          expect(end).toBeLessThanOrEqual(plotWidth);
          for (const y of [bar.y, bar.y + bar.height, out.y, netY]) {
            expect(y).toBeGreaterThanOrEqual(0);
            expect(y).toBeLessThan(HEIGHT);
          }
          expect(bar.y + bar.height).toBeCloseTo(zeroY, 0);
          const { inInCents = 0, outInCents = 0 } = months[index] ?? {};
          if (inInCents > outInCents) expect(bar.height).toBeGreaterThanOrEqual(out.height);
        }
      },
    ),
    { numRuns: proofSize(200, 5_000), seed: proofSeed },
  );
});
