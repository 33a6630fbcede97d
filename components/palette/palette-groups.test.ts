import { expect, test } from "vitest";
import { matchesWords } from "@/components/palette/palette-groups";

test.each([
  ["", "Accounts", true],
  ["mov", "Move money", true],
  ["mon mov", "Move money", true],
  ["API k", "New API key", true],
  ["oney", "Move money", false],
  ["move x", "Move money", false],
  ["(.*", "Move money", false],
])("%j finds %j: %s", (query, label, found) => {
  expect(matchesWords(query, label)).toBe(found);
});
