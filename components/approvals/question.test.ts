import { describe, expect, test } from "vitest";
import { gateLabelOf, questionOf } from "@/components/approvals/question";
import { inStatus, WAITING } from "@/components/examples/approval-examples";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalStatus, ApprovalView, CheckView } from "@/lib/contract/views/approval-view";

function heading(view: ApprovalView): string {
  const { before, amountInCents, after } = questionOf(view);
  return `${before} ${formatCents(amountInCents ?? 0)} ${after}`;
}

describe("the heading reads as one sentence", () => {
  test.each<[ApprovalStatus, string]>([
    ["WAITING", "Move $4,250.00 from Operating to Taxes?"],
    ["ON_ITS_WAY", "You let $4,250.00 through to Taxes."],
    ["SETTLED", "You let $4,250.00 through to Taxes."],
    ["DENIED", "Jonas Weil kept $4,250.00 in Operating."],
    ["EXPIRED", "Nobody decided about $4,250.00 from Operating to Taxes, so nothing moved."],
    ["FAILED", "We could not move $4,250.00 from Operating to Taxes."],
    ["RETURNED", "The bank sent $4,250.00 back to Operating."],
    ["CANCELLED", "Cancelled: $4,250.00 stays in Operating."],
  ])("%s: %s", (status, sentence) => {
    expect(heading(inStatus(status))).toBe(sentence);
  });
});

describe("the line under it", () => {
  test("only says that nothing moved where the state is sure of it", () => {
    expect(questionOf(inStatus("DENIED")).lede).toContain("Nothing moved.");
    expect(questionOf(inStatus("ON_ITS_WAY")).lede).not.toContain("Nothing moved");
    expect(questionOf({ ...inStatus("FAILED"), error: null }).lede).toBeNull();
  });

  test("says at once why a key asks that need not, and nothing of one that always asks", () => {
    const cap: CheckView = {
      ...{ kind: "DAILY_CAP", outcome: "LOOK" },
      ...{ keyName: "claude-ops", capInCents: 50_000, usedInCents: 48_000 },
    };
    expect(questionOf({ ...WAITING, checks: [cap, ...WAITING.checks] }).lede).toBe(
      "It waits because it was above the daily cap of claude-ops: $500.00.",
    );
    expect(questionOf(WAITING).lede).toBeNull();
  });

  test("an expiry names the hours it was open for and when it closed", () => {
    expect(questionOf(inStatus("EXPIRED")).lede?.replaceAll("\u00a0", " ")).toBe(
      "A proposal stays open for 24 hours. This one closed on Sat 21 Nov at 08:40 and counts as denied.",
    );
  });

  test("ACH says the day on which it should settle, not a minute", () => {
    const view: ApprovalView = { ...inStatus("ON_ITS_WAY"), settlesOver: "ACH", expectedOn: "2026-11-24" };
    expect(questionOf(view).lede).toContain("should settle on 24\u00a0Nov");
  });
});

test("the gate of a waiting proposal tells a viewer that others approve", () => {
  expect(gateLabelOf(WAITING)).toEqual(["Closed until", "you approve"]);
  expect(gateLabelOf({ ...WAITING, viewer: { ...WAITING.viewer, canDecide: false } })).toEqual([
    "Closed until",
    "approved",
  ]);
});
