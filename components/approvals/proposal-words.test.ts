import { expect, test } from "vitest";
import { inboxTitle } from "@/components/approvals/proposal-words";

test.each([
  [0, true, "Nothing waits for you"],
  [1, true, "One proposal waits for you"],
  [3, true, "Three proposals wait for you"],
  [11, true, "11 proposals wait for you"],
  [2, false, "Two proposals wait for approval"],
])("%i waiting, may decide %s: %s", (count, canDecide, title) => {
  expect(inboxTitle(count, canDecide)).toBe(title);
});
