import { describe, expect, test } from "vitest";
import { formatTimeLeft, percentLeft } from "@/components/time/time-left";

const minutes = (count: number) => count * 60_000;

describe("time left", () => {
  test.each([
    [minutes(21 * 60 + 14), "21 h 14 min"],
    [minutes(9 * 60 + 5), "9 h 05 min"],
    [minutes(24 * 60), "24 h 00 min"],
    [minutes(60), "1 h 00 min"],
    [minutes(40), "40 min"],
    [59_999, "less than a minute"],
    [0, "0 min"],
    [-1, "0 min"],
  ])("%i ms reads %s", (leftMs, text) => {
    expect(formatTimeLeft(leftMs).replaceAll("\u00a0", " ")).toBe(text);
  });

  test("it is rounded down: 59.9 minutes are not an hour", () => {
    expect(formatTimeLeft(minutes(60) - 1)).toBe("59\u00a0min");
  });

  test("lines never break between a number and its unit", () => {
    expect(formatTimeLeft(minutes(75))).not.toContain(" ");
  });

  test("the gauge stays between empty and full", () => {
    expect(percentLeft(minutes(30), minutes(60))).toBe(50);
    expect(percentLeft(minutes(90), minutes(60))).toBe(100);
    expect(percentLeft(-1, minutes(60))).toBe(0);
    expect(percentLeft(1, 0)).toBe(0);
  });
});
