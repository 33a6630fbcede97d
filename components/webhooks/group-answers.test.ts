import { expect, it } from "vitest";
import { groupAnswers, groupWords } from "@/components/webhooks/what-was-sent";
import type { AttemptView } from "@/lib/contract/views/webhooks-view";

const attempt = (number: number, statusCode: number, answer: string): AttemptView => ({
  number,
  at: "2026-11-20T13:40:05Z",
  durationMs: 12,
  statusCode,
  problem: statusCode < 300 ? null : "STATUS",
  answer,
  signedAtSeconds: 1_795_167_605,
  signatureStart: "9f2c1a3b",
});

it("tells every different answer, newest first, and repeats none that came again", () => {
  const groups = groupAnswers([
    attempt(1, 503, "busy"),
    attempt(2, 503, "busy"),
    attempt(3, 500, "busy"),
    attempt(4, 503, "busy"),
    attempt(5, 200, ""),
  ]);
  expect(groups.map((group) => [groupWords(group), group.statusCode])).toEqual([
    ["Attempt 5", 200],
    ["Attempt 4", 503],
    ["Attempt 3", 500],
    ["Attempts 1 and 2", 503],
  ]);
});

it("tells apart answers that differ in their text only", () => {
  expect(groupAnswers([attempt(1, 503, "busy"), attempt(2, 503, "down")])).toHaveLength(2);
});
