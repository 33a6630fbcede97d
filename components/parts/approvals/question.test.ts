import { describe, expect, test } from "vitest";
import { inStatus, TIME, WAITING } from "@/app/design/_components/approval-examples";
import { runInStatus, WAITING_RUN } from "@/app/design/_components/run-example";
import { endsOf } from "@/components/parts/approvals/proposal-words";
import { gateLabelOf, questionOf } from "@/components/parts/approvals/question";
import { runCheckSentence } from "@/components/parts/approvals/run-check-sentence";
import type { ApprovalStatus, CheckView } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalView, RunApprovalView } from "@/lib/views/approvals/get-approval";

function heading(view: ApprovalView): string {
  const { before, amountInCents, after } = questionOf(view);
  return `${before} ${formatCents(amountInCents ?? 0)} ${after}`;
}

describe("the heading reads as one sentence", () => {
  test.each<[ApprovalStatus, string]>([
    ["WAITING", "Move $4,250.00 from Operating to Taxes?"],
    ["ON_ITS_WAY", "You approved $4,250.00 to Taxes."],
    ["SETTLED", "You approved $4,250.00 to Taxes."],
    ["DENIED", "Jonas Weil denied $4,250.00 to Taxes."],
    ["EXPIRED", "Expired: $4,250.00 stays in Operating."],
    ["FAILED", "We could not move $4,250.00 from Operating to Taxes."],
    ["RETURNED", "The bank returned $4,250.00 to Operating."],
    ["CANCELLED", "Canceled: $4,250.00 stays in Operating."],
  ])("%s: %s", (status, sentence) => {
    expect(heading(inStatus(status))).toBe(sentence);
  });
});

describe("the line under it", () => {
  test("says that nothing moved only where the state is certain", () => {
    expect(questionOf(inStatus("DENIED")).lede).toContain("Nothing moved.");
    expect(questionOf(inStatus("ON_ITS_WAY")).lede).not.toContain("Nothing moved");
    expect(questionOf({ ...inStatus("FAILED"), error: null }).lede).toBeNull();
  });

  test("explains a proposal above the daily cap, and says nothing for a key that always needs approval", () => {
    const cap: CheckView = {
      ...{ kind: "DAILY_CAP", outcome: "LOOK" },
      ...{ keyName: "claude-ops", capInCents: 50_000, usedInCents: 48_000 },
    };
    expect(questionOf({ ...WAITING, checks: [cap, ...WAITING.checks] }).lede).toBe(
      "Needs approval because it is above the daily cap of claude-ops, $500.00.",
    );
    expect(questionOf(WAITING).lede).toBeNull();
  });

  test("an expiry names how long the proposal was open and when it closed", () => {
    expect(questionOf(inStatus("EXPIRED")).lede?.replaceAll("\u00a0", " ")).toBe(
      "Proposals stay open for 24 hours. This one expired on Sat, Nov 21 at 8:40 AM and counts as denied.",
    );
  });

  test("ACH names the expected day of settlement", () => {
    const view: ApprovalView = { ...inStatus("ON_ITS_WAY"), settlesOver: "ACH", expectedOn: "2026-11-24" };
    expect(questionOf(view).lede).toContain("should settle on Nov\u00a024");
  });
});

test("the gate of a waiting proposal shows a viewer that others approve", () => {
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

describe("the heading of a run reads as one sentence", () => {
  test.each<[ApprovalStatus, string]>([
    ["WAITING", "Split $3,600.00 from Client payments into 2 pods?"],
    ["ON_ITS_WAY", "Sluice approved $3,600.00 from Client payments into 2 pods."],
    ["SETTLED", "Sluice approved $3,600.00 from Client payments into 2 pods."],
    ["PARTIAL", "Only part of $3,600.00 moved from Client payments into 2 pods."],
    ["FAILED", "We could not move $3,600.00 from Client payments into 2 pods."],
    ["DENIED", "Sluice denied a run of Split client payments."],
    ["REVOKED", "Key revoked: Split client payments did not run."],
    ["EXPIRED", "Expired: Split client payments did not run."],
    ["RULE_CHANGED", "Version 3 no longer runs: Split client payments did not run."],
  ])("%s: %s", (status, sentence) => {
    expect(runHeading(runInStatus(status))).toBe(sentence);
  });

  test("one that ended with its version says when, by whom, and that nothing moved", () => {
    expect(questionOf(runInStatus("RULE_CHANGED")).lede).toBe(
      "It ended today at 11:20\u00a0AM, when Mara Okafor activated version 4. Nobody had decided, so it counts as denied. Nothing moved.",
    );
  });

  test("one transfer is a move; several sources move between accounts", () => {
    const [first] = WAITING_RUN.moves;
    if (!first) throw new Error("The example has no move");
    expect(runHeading({ ...WAITING_RUN, moves: [first] })).toBe(
      "Move $3,600.00 from Client payments to Taxes?",
    );
    const other = { ...first, key: "2", sourceName: "Operating" };
    expect(runHeading({ ...WAITING_RUN, moves: [first, other] })).toBe("Move $3,600.00 between 3 accounts?");
  });

  test("a run that would move nothing says why; one that cannot run names no amount", () => {
    const nothing = { ...WAITING_RUN, amountInCents: 0, moves: [], nothingBecause: "Taxes: it is full." };
    expect(runHeading(nothing)).toBe("Run Split client payments?");
    expect(questionOf(nothing).lede).toBe("Nothing would move now. Taxes: it is full.");
    expect(questionOf({ ...WAITING_RUN, amountInCents: null }).lede).toContain("can’t run right now");
  });
});

test("a check of a run names its numbers", () => {
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
    result: "$400.00 left",
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

test("a list counts several destinations of a run, names a single one, and otherwise names the rule", () => {
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
