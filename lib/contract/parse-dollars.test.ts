import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCents } from "@/lib/contract/format-cents";
import { parseDollars } from "@/lib/contract/parse-dollars";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

test("what the interface writes, it reads back to the cent", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999_999 }), (cents) => {
      expect(parseDollars(formatCents(cents))).toBe(cents);
      expect(parseDollars(formatCents(cents).replaceAll(/[$,]/g, ""))).toBe(cents);
    }),
    { numRuns: proofSize(1_000, 20_000), seed: proofSeed },
  );
});

test.each([
  ["8000", 800_000],
  [" $8,000 ", 800_000],
  ["0.07", 7],
])("%s is read", (text, cents) => {
  expect(parseDollars(text)).toBe(cents);
});

test.each(["", "-5", "8,00", "8.5", "8.505", "1e3", "١٢", "$", "12 000", "1,2345", "9".repeat(13)])(
  "%s could mean something else, and is refused",
  (text) => {
    expect(parseDollars(text)).toBeNull();
  },
);
