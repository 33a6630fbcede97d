import { describe, expect, test } from "vitest";
import { questionOf } from "@/components/approvals/question";
import { runCheckSentence } from "@/components/approvals/run-check-sentence";
import { endsOf } from "@/components/approvals/subject-words";
import { TIME } from "@/components/examples/approval-examples";
import { runInStatus, WAITING_RUN } from "@/components/examples/run-example";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalStatus, RunApprovalView } from "@/lib/contract/views/approval-view";

function heading(view: RunApprovalView): string {
  const { before, amountInCents, after } = questionOf(view);
  return amountInCents === null ? before : `${before} ${formatCents(amountInCents)} ${after}`;
}

describe("the heading of a run reads as one sentence", () => {
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
    expect(heading(runInStatus(status))).toBe(sentence);
  });

  test("one transfer is moved, several of several accounts between them", () => {
    const [first] = WAITING_RUN.moves;
    if (!first) throw new Error("The example has no move");
    expect(heading({ ...WAITING_RUN, moves: [first] })).toBe("Move $3,600.00 from Client payments to Taxes?");
    const other = { ...first, key: "2", sourceName: "Operating" };
    expect(heading({ ...WAITING_RUN, moves: [first, other] })).toBe("Move $3,600.00 between 3 accounts?");
  });

  test("what would move nothing says so, and why; what cannot run names no amount", () => {
    const nothing = { ...WAITING_RUN, amountInCents: 0, moves: [], nothingBecause: "Taxes: it is full." };
    expect(heading(nothing)).toBe("Run Split client payments?");
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
