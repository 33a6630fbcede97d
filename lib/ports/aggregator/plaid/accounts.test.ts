import fc from "fast-check";
import { expect, it } from "vitest";
import { toCents } from "@/lib/ports/aggregator/plaid/accounts";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

it("converts every amount with two decimals to cents", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), (cents) => {
      const digits = String(Math.abs(cents)).padStart(3, "0");
      const json = `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
      expect(toCents(Number(json))).toBe(cents + 0);
    }),
    { numRuns: proofSize(2_000, 200_000), seed: proofSeed },
  );
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1e17, 1e12 + 0.01, 9e13])("rejects %d", (dollars) => {
  expect(() => toCents(dollars)).toThrow("an invalid amount");
});
