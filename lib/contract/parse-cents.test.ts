import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCents } from "@/lib/contract/format-cents";
import { parseCents } from "@/lib/contract/parse-cents";

test.each([
  ["7100", 710_000],
  ["7,100", 710_000],
  ["$7,100.5", 710_050],
  [" $ 7,100.05 ", 710_005],
  ["0.01", 1],
  ["0", 0],
])("%s is read as what it says", (text, cents) => {
  expect(parseCents(text)).toBe(cents);
});

test.each(["", "$", "-5", "1.005", "7,10", "1,0000", "7.100,00", "1e3", "٣", "NaN", "99999999999999999"])(
  "%j is no amount, and never another one",
  (text) => {
    expect(parseCents(text)).toBeNull();
  },
);

test("what we write, we read", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_000_000 }), (cents) => {
      expect(parseCents(formatCents(cents))).toBe(cents);
    }),
  );
});
