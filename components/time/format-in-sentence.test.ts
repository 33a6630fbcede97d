import { expect, test } from "vitest";
import { formatInSentence } from "@/components/time/format-in-sentence";

const time = { nowAt: "2026-11-20T16:26:00Z", timeZone: "America/New_York", locale: "en-US" };

test.each([
  ["2026-11-20T13:52:00Z", "today at 08:52"],
  ["2026-11-19T21:40:00Z", "on Thu 19\u00a0Nov at 16:40"],
  ["2025-08-03T12:00:00Z", "on 3\u00a0Aug\u00a02025"],
])("%s reads as part of a sentence", (at, words) => {
  expect(formatInSentence(at, time)).toBe(words);
});
