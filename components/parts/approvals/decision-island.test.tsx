import { expect, test } from "vitest";
import { mayApprove } from "@/components/parts/approvals/decision-island";

type Approvable = Parameters<typeof mayApprove>[0];
const READY: Approvable = { blockedBecause: null, isSettling: false, leftMs: 1, busyWith: null };

test.each<[string, Partial<Approvable>, boolean]>([
  ["nothing is in the way", {}, true],
  ["a check blocks", { blockedBecause: { title: "It would fail.", text: "Too little money." } }, false],
  ["what it shows changed a moment ago", { isSettling: true }, false],
  ["it has expired", { leftMs: 0 }, false],
  ["it is being approved", { busyWith: "APPROVE" }, false],
  ["it is being denied", { busyWith: "DENY" }, false],
])("a proposal where %s can be approved: %j", (_, more, expected) => {
  expect(mayApprove({ ...READY, ...more })).toBe(expected);
});
