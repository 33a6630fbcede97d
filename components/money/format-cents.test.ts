import { describe, expect, test } from "vitest";
import { formatCents, splitCents } from "@/components/money/format-cents";

describe("amounts of money", () => {
  test.each([
    [0, "$0.00"],
    [5, "$0.05"],
    [99, "$0.99"],
    [425_000, "$4,250.00"],
    [123_456_789, "$1,234,567.89"],
    [-425_000, "−$4,250.00"],
    [Number.MAX_SAFE_INTEGER, "$90,071,992,547,409.91"],
  ])("%i cents read %s", (cents, text) => {
    expect(formatCents(cents)).toBe(text);
  });

  test("a plus stands only where it was asked for, and never before zero", () => {
    expect(formatCents(100)).toBe("$1.00");
    expect(formatCents(100, "whenPositive")).toBe("+$1.00");
    expect(formatCents(0, "whenPositive")).toBe("$0.00");
    expect(formatCents(-100, "whenPositive")).toBe("−$1.00");
  });

  test("the minus is U+2212, before the dollar sign", () => {
    expect(splitCents(-1)).toEqual({ sign: "\u2212", dollars: "$0", cents: ".01" });
  });

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("%d is refused, not rounded", (amount) => {
    expect(() => formatCents(amount)).toThrow(RangeError);
  });
});
