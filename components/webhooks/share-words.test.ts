import { expect, it } from "vitest";
import { shareWords } from "@/components/webhooks/share-words";

it.each([
  [1, "100%"],
  [0.9999, "99.9%"],
  [0.987, "98.7%"],
  [0.5, "50.0%"],
  [0, "0.0%"],
])("never rounds a lost event away: %d reads %s", (share, words) => {
  expect(shareWords(share)).toBe(words);
});
