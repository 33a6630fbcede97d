import { describe, expect, test } from "vitest";
import { blockedBecause, checkSentence, checksSummary } from "@/components/approvals/check-sentence";

import { WAITING, WOULD_FAIL } from "@/components/examples/approval-examples";
import type { CheckView } from "@/lib/contract/views/approval-view";

const say = (check: CheckView) => checkSentence(check, WAITING);

describe("checks in words", () => {
  test("the key's limit says what is to spare, and what is too much", () => {
    const check: CheckView = {
      kind: "KEY_LIMIT",
      outcome: "CLEAR",
      keyName: "claude-bookkeeping",
      limitInCents: 500_000,
      amountInCents: 425_000,
    };
    expect(say(check)).toMatchObject({ title: "Within the key’s limit", result: "$750.00 to spare" });
    expect(say({ ...check, outcome: "BLOCKS", amountInCents: 650_000 })).toMatchObject({
      title: "Above the key’s limit",
      result: "$1,500.00 above",
    });
    expect(say({ ...check, limitInCents: null }).result).toBe("No limit");
  });

  test("names that look alike are distinguished by their alphabets", () => {
    const check: CheckView = {
      kind: "LOOK_ALIKE",
      outcome: "LOOK",
      names: [{ kind: "ACCOUNT", name: "\u0422axes", otherName: "Taxes" }],
    };
    expect(say(check)).toMatchObject({
      title: "Another account’s name looks the same",
      text: "\u0422axes (with Cyrillic letters) is not Taxes. Check which one this is.",
      result: "1 name",
    });
    const same = { ...check, names: [{ kind: "ACCOUNT" as const, name: "Taxes", otherName: "Taxes" }] };
    expect(say(same).text).toBe("Another account is also called Taxes. Check which one this is.");
  });

  test("below the floor is stated in numbers", () => {
    const check: CheckView = {
      kind: "FLOOR",
      outcome: "LOOK",
      accountName: "Operating",
      floorInCents: 800_000,
      afterInCents: 725_000,
      onItsWayInCents: 0,
    };
    expect(say(check)).toMatchObject({ title: "Operating falls below its floor", result: "$750.00 below" });
  });

  test("an unknown balance is never called zero or enough", () => {
    const { title, text, result } = say({
      kind: "ENOUGH_MONEY",
      outcome: "LOOK",
      accountName: "First Harbor",
      availableInCents: null,
      amountInCents: 100,
    });
    expect(`${title} ${text} ${result}`).toContain("unknown");
    expect(`${title} ${text} ${result}`).not.toMatch(/\$0\.00|enough/);
  });

  test("one earlier transfer is not 'since'", () => {
    const at = "2026-10-14T14:00:00Z";
    const once: CheckView = {
      kind: "KNOWN_ROUTE",
      outcome: "CLEAR",
      transferCount: 1,
      firstAt: at,
      lastAt: at,
    };
    expect(say(once).text).toBe("1 transfer from Operating to Taxes on 14\u00a0Oct.");
    expect(say({ ...once, outcome: "LOOK", transferCount: 0 }).title).toBe("First time on this route");
  });

  test("the summary counts outcomes", () => {
    expect(checksSummary(WAITING.checks)).toBe("4 clear, 1 to review");
    expect(checksSummary(WOULD_FAIL.checks)).toBe("3 clear, 1 to review, 1 blocking");
  });
});

test("only a blocking check disables Approve", () => {
  expect(blockedBecause(WAITING)).toBeNull();
  expect(blockedBecause(WOULD_FAIL)).toEqual({
    title: "It would fail.",
    text: "Operating doesn’t have enough. $3,120.00 is available; this moves $4,250.00.",
  });
  expect(blockedBecause({ ...WAITING, areGatesClosed: true })).toMatchObject({ title: "Not now." });
});
