import { describe, expect, test } from "vitest";
import { WAITING, WOULD_FAIL } from "@/app/design/_components/approval-examples";
import { blockedBecause, checkSentence, checksSummary } from "@/components/parts/approvals/check-sentence";
import type { CheckView } from "@/lib/contract/approvals/approval";

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
    expect(say({ ...check, outcome: "LOOK", amountInCents: 650_000 })).toMatchObject({
      title: "Above the key’s limit",
      result: "$1,500.00 above",
    });
    expect(say({ ...check, outcome: "UNCHECKED", limitInCents: null }).result).toBe("No limit");
    expect(say({ ...check, outcome: "LOOK", limitInCents: null }).title).toBe(
      "The key may no longer use this route",
    );
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
      isMore: false,
      firstAt: at,
      lastAt: at,
    };
    expect(say(once).text).toBe("1 transfer from Operating to Taxes on Oct\u00a014.");
    expect(say({ ...once, outcome: "LOOK", transferCount: 0 }).title).toBe("First time on this route");
  });

  test("a possible duplicate is named and linked; none found says where was looked", () => {
    const none: CheckView = {
      kind: "SIMILAR_LATELY",
      outcome: "CLEAR",
      transferCount: 0,
      sameAmountCount: 0,
      closest: null,
    };
    expect(say(none).text).toBe(
      "No other transfer of this amount from Operating or to Taxes, and none on this route.",
    );
    const closest = {
      href: "/?approvalTransferId=1",
      isWaiting: true,
      amountInCents: 425_000,
      sourceName: "Payroll",
      destinationName: "Taxes",
      at: "2026-11-20T13:36:00Z",
    };
    const found: CheckView = { ...none, outcome: "LOOK", transferCount: 2, sameAmountCount: 1, closest };
    expect(say(found)).toMatchObject({
      title: "Possible duplicate",
      text: "$4,250.00 from Payroll to Taxes, proposed today at 8:36\u00a0AM, also needs a decision. 1 more is similar.",
      link: { href: closest.href, label: "Open the other proposal" },
      result: "2 found",
    });
    expect(say({ ...found, sameAmountCount: 0, closest: { ...closest, isWaiting: false } })).toMatchObject({
      title: "Another transfer on this route in the last 24\u00a0hours",
      link: { label: "View that transfer" },
    });
  });

  test("only an amount inside the usual range is called usual", () => {
    const check: CheckView = {
      kind: "USUAL_AMOUNT",
      outcome: "CLEAR",
      usualLowInCents: 171_355,
      usualHighInCents: 214_075,
      amountInCents: 200_000,
      timesMedian: 1,
    };
    expect(say(check).title).toBe("A usual amount");
    expect(say({ ...check, outcome: "LOOK", amountInCents: 231_840 }).title).toBe("Larger than usual");
    expect(say({ ...check, outcome: "LOOK", amountInCents: 20_000 }).title).toBe("Smaller than usual");
  });

  test("what nothing was checked against is not counted as clear", () => {
    const [limit, ...rest] = WAITING.checks;
    if (limit?.kind !== "KEY_LIMIT") throw new Error("The example has no limit");
    const checks = [{ ...limit, outcome: "UNCHECKED" as const, limitInCents: null }, ...rest];
    expect(checksSummary(checks)).toBe("3 clear, 1 not checked, 1 to review");
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
