import { describe, expect, test } from "vitest";
import { pressKey } from "@/components/shell/everywhere";

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

  test("M alone opens the form to move money; A and D alone belong to the page", () => {
    expect(pressKey(null, "m", 0).act).toEqual(go("/transfers/new"));
    expect(pressKey(null, "a", 0)).toEqual({ sequence: null, act: null, isTaken: false });
    expect(pressKey(null, "d", 0).isTaken).toBe(false);
  });

  test("no key after G approves or denies", () => {
    for (const key of ["a", "d", "e", "j", "?", "x"]) {
      expect(pressKey(1_000, key, 1_100)).toMatchObject({ sequence: null, isTaken: true });
    }
    expect(pressKey(1_000, "d", 1_100).act).toBeNull();
  });

  test("G expires", () => {
    expect(pressKey(1_000, "m", 2_501).act).toEqual(go("/transfers/new"));
    expect(pressKey(1_000, "a", 2_501).isTaken).toBe(false);
  });

  test("? alone lists the keys", () => {
    expect(pressKey(null, "?", 0).act).toEqual({ kind: "KEYS" });
  });
});
