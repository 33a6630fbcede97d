import { expect, test } from "vitest";
import { inboxTitle } from "@/components/parts/approvals/proposal-words";

test.each([
  [0, true, "No proposals need your decision"],
  [1, true, "1 proposal needs your decision"],
  [3, true, "3 proposals need your decision"],
  [11, true, "11 proposals need your decision"],
  [2, false, "2 proposals are waiting for approval"],
])("%i waiting, may decide %s: %s", (count, canDecide, title) => {
  expect(inboxTitle(count, canDecide)).toBe(title);
});
