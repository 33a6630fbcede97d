import { describe, expect, test } from "vitest";
import { endsOf } from "@/components/approvals/proposal-words";
import { gateLabelOf, questionOf } from "@/components/approvals/question";
import { runCheckSentence } from "@/components/approvals/run-check-sentence";
import { inStatus, TIME, WAITING } from "@/components/examples/approval-examples";
import { runInStatus, WAITING_RUN } from "@/components/examples/run-example";
import { formatCents } from "@/lib/contract/format-cents";
import type {
  ApprovalStatus,
  ApprovalView,
  CheckView,
  RunApprovalView,
} from "@/lib/contract/views/approval-view";

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

function runHeading(view: RunApprovalView): string {
  const { before, amountInCents, after } = questionOf(view);
  return amountInCents === null ? before : `${before} ${formatCents(amountInCents)} ${after}`;
}

describe("the runHeading of a run reads as one sentence", () => {
  test.each<[ApprovalStatus, string]>([
    ["WAITING", "Split $3,600.00 from Client payments into 2 pods?"],
    ["ON_ITS_WAY", "Sluice let $3,600.00 through from Client payments into 2 pods."],
    ["SETTLED", "Sluice let $3,600.00 through from Client payments into 2 pods."],
    ["PARTIAL", "Only a part of $3,600.00 moved from Client payments into 2 pods."],
    ["FAILED", "We could not move $3,600.00 from Client payments into 2 pods."],
    ["DENIED", "Sluice kept Split client payments from running."],
    ["REVOKED", "Its key was revoked: Split client payments did not run."],
    ["EXPIRED", "Nobody decided about a run of Split client payments, so nothing moved."],
  ])("%s: %s", (status, sentence) => {
    expect(runHeading(runInStatus(status))).toBe(sentence);
  });

  test("one transfer is moved, several of several accounts between them", () => {
    const [first] = WAITING_RUN.moves;
    if (!first) throw new Error("The example has no move");
    expect(runHeading({ ...WAITING_RUN, moves: [first] })).toBe(
      "Move $3,600.00 from Client payments to Taxes?",
    );
    const other = { ...first, key: "2", sourceName: "Operating" };
    expect(runHeading({ ...WAITING_RUN, moves: [first, other] })).toBe("Move $3,600.00 between 3 accounts?");
  });

  test("what would move nothing says so, and why; what cannot run names no amount", () => {
    const nothing = { ...WAITING_RUN, amountInCents: 0, moves: [], nothingBecause: "Taxes: it is full." };
    expect(runHeading(nothing)).toBe("Run Split client payments?");
    expect(questionOf(nothing).lede).toBe("It would move nothing now. Taxes: it is full.");
    expect(questionOf({ ...WAITING_RUN, amountInCents: null }).lede).toContain("cannot be carried out");
  });
});

test("a check of a run names the numbers it rests on", () => {
  expect(
    runCheckSentence(
      {
        kind: "RUN_MONEY",
        outcome: "CLEAR",
        sources: [{ accountName: "Client payments", availableInCents: 400_000, takesInCents: 360_000 }],
        problem: null,
      },
      TIME,
    ),
  ).toMatchObject({
    text: "Client payments has $4,000.00 available; this run takes $3,600.00.",
    result: "$400.00 stays",
  });
  expect(
    runCheckSentence(
      {
        kind: "RUN_FLOORS",
        outcome: "LOOK",
        accounts: [{ accountName: "Operating", floorInCents: 800_000, afterInCents: 700_000 }],
      },
      TIME,
    ),
  ).toMatchObject({ title: "Operating falls below its floor", result: "$1,000.00 below" });
});

test("a list names the pods of a run together, its only destination by name, and else its rule", () => {
  const run = (count: number, arePods = true) =>
    endsOf({
      kind: "RULE_RUN",
      ruleName: "Split",
      sourceName: "Client payments",
      destinations: { count, firstName: count > 0 ? "Taxes" : null, arePods },
      amountInCents: 100,
    }).to;
  expect([run(5), run(2, false), run(1), run(0)]).toEqual([
    "5 pods by rule",
    "2 accounts by rule",
    "Taxes by rule",
    "Split",
  ]);
});
