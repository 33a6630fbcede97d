import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCents } from "@/lib/contract/format-cents";
import { parseDollars } from "@/lib/contract/parse-dollars";

describe("an amount as people write it", () => {
  it.each([
    ["500", 50_000],
    ["500.00", 50_000],
    [" 1,000.5 ", 100_050],
    ["$25.00", 2_500],
    ["0.01", 1],
    ["007", 700],
  ])("%s is read exactly", (text, cents) => {
    expect(parseDollars(text)).toBe(cents);
  });

  it.each(["", "ten", "-5", "1.234", "1,00", "10,000,0", "1e5", "5.", ".5", "1 000", "99999999999999999999"])(
    "%s is none",
    (text) => {
      expect(parseDollars(text)).toBeNull();
    },
  );

  it("is the reverse of how amounts are shown", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000_000 }), (cents) => {
        expect(parseDollars(formatCents(cents))).toBe(cents);
      }),
    );
  });
});
