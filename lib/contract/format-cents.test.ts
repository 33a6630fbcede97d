import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatCents, parseCents, splitCents } from "@/lib/contract/format-cents";

describe("formatCents", () => {
  test.each([
    [0, "$0.00"],
    [-0, "$0.00"],
    [5, "$0.05"],
    [99, "$0.99"],
    [100, "$1.00"],
    [99_999, "$999.99"],
    [100_000, "$1,000.00"],
    [425_000, "$4,250.00"],
    [123_456_789, "$1,234,567.89"],
    [-5, "\u2212$0.05"],
    [-425_000, "\u2212$4,250.00"],
    [Number.MAX_SAFE_INTEGER, "$90,071,992,547,409.91"],
    [Number.MIN_SAFE_INTEGER, "\u2212$90,071,992,547,409.91"],
  ])("%d cents read %s", (cents, text) => {
    expect(formatCents(cents)).toBe(text);
  });

  test("a plus appears only on request, and never before zero", () => {
    expect(formatCents(100, "whenPositive")).toBe("+$1.00");
    expect(formatCents(0, "whenPositive")).toBe("$0.00");
    expect(formatCents(-100, "whenPositive")).toBe("\u2212$1.00");
  });

  test("comes apart into sign, dollars and cents", () => {
    expect(splitCents(-1)).toEqual({ sign: "\u2212", dollars: "$0", cents: ".01", after: "" });
  });

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("%d is refused, not rounded", (amount) => {
    expect(() => formatCents(amount)).toThrow(RangeError);
  });

  test("the digits shown are the digits given", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        const shown = formatCents(cents);
        const digits = BigInt(shown.replace(/\D/g, ""));
        expect(shown.startsWith("\u2212") ? -digits : digits).toBe(BigInt(cents));
        expect(shown).toMatch(/^\u2212?\$\d{1,3}(,\d{3})*\.\d\d$/);
      }),
    );
  });
});

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
  "%j is not an amount, and never another one",
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
