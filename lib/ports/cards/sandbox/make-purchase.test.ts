import fc from "fast-check";
import { expect, test } from "vitest";
import { planPurchase } from "@/lib/ports/cards/sandbox/make-purchase";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const MORNING = new Date("2026-03-06T15:00:00Z");
const AFTER_CUT_OFF = new Date("2026-03-06T22:00:00Z");

test("what is bought before 17:00 in New York settles at 09:00 the next day, later purchases a day later", () => {
  const settledAt = (requestedAt: Date) => planPurchase(5_000, requestedAt).notices[0]?.dueAt.toISOString();
  expect(settledAt(MORNING)).toBe("2026-03-07T14:00:00.000Z");
  // The clocks go forward that night: 09:00 is an hour earlier by UTC.
  expect(settledAt(AFTER_CUT_OFF)).toBe("2026-03-08T13:00:00.000Z");
});

test("every purchase has positive parts, in order, that fall due after it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.date({ min: new Date("2026-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
      (amountInCents, requestedAt) => {
        const { notices, reversal } = planPurchase(amountInCents, requestedAt);
        let last = requestedAt.getTime();
        for (const notice of notices) {
          expect(notice.amountInCents).toBeGreaterThan(0);
          expect(notice.dueAt.getTime()).toBeGreaterThan(last);
          last = notice.dueAt.getTime();
        }
        expect(reversal.dueAt.getTime()).toBeGreaterThan(requestedAt.getTime());
        const parts = notices.filter((notice) => notice.kind === "SETTLED");
        expect(parts.filter((notice) => notice.isFinal).length).toBeLessThanOrEqual(1);
        if (parts.length === 2) {
          expect(parts.reduce((sum, part) => sum + part.amountInCents, 0)).toBe(amountInCents);
        }
      },
    ),
    { seed: proofSeed, numRuns: proofSize(500, 10_000) },
  );
});
