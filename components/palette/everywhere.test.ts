import { describe, expect, test } from "vitest";
import { pressKey } from "@/components/palette/everywhere";

const go = (href: string) => ({ kind: "GO", href });

describe("single keys", () => {
  test.each([
    ["o", "/"],
    ["a", "/approvals"],
    ["m", "/transfers"],
  ])("G then %s goes to %s", (key, href) => {
    const { sequence } = pressKey(null, "g", 1_000);
    expect(pressKey(sequence, key, 1_400)).toEqual({ sequence: null, act: go(href), isTaken: true });
  });

  test("M alone moves money, and A and D alone are the page's own", () => {
    expect(pressKey(null, "m", 0).act).toEqual(go("/transfers/new"));
    expect(pressKey(null, "a", 0)).toEqual({ sequence: null, act: null, isTaken: false });
    expect(pressKey(null, "d", 0).isTaken).toBe(false);
  });

  test("no key after G approves or denies anything, whether it stands for something or not", () => {
    for (const key of ["a", "d", "e", "j", "?", "x"]) {
      expect(pressKey(1_000, key, 1_100)).toMatchObject({ sequence: null, isTaken: true });
    }
    expect(pressKey(1_000, "d", 1_100).act).toBeNull();
  });

  test("G is forgotten after a while", () => {
    expect(pressKey(1_000, "m", 2_501).act).toEqual(go("/transfers/new"));
    expect(pressKey(1_000, "a", 2_501).isTaken).toBe(false);
  });

  test("Shift on the way to a key neither ends nor begins anything", () => {
    expect(pressKey(1_000, "shift", 1_100).sequence).toBe(1_000);
    expect(pressKey(null, "?", 0).act).toEqual({ kind: "KEYS" });
  });
});
