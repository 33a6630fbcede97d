import { expect, it } from "vitest";
import {
  groupAnswers,
  groupWords,
  sentRequest,
} from "@/app/settings/webhooks/[id]/_components/what-was-sent";
import type { AttemptView } from "@/lib/views/webhooks/read-delivery";

const EVENT_ID = "0c9b7a34-51e2-4d0e-8b1e-2f6d90c477d0";
const BODY = `{"id":"${EVENT_ID}","type":"transfer.changed"}`;
const ATTEMPT = {
  number: 1,
  at: "2026-11-20T13:40:05Z",
  durationMs: 12,
  statusCode: 503,
  problem: "STATUS" as const,
  answer: "busy",
  signedAtSeconds: 1_795_167_605,
};

it("shows the body byte for byte, since a receiver that re-serializes it fails to verify", () => {
  const text = sentRequest(
    { eventId: EVENT_ID, body: BODY, history: [{ ...ATTEMPT, signatureStart: "9f2c1a3b" }] },
    "https://hooks.northwind.studio/sluice?from=1",
  );
  expect(text).toBe(`POST /sluice?from=1 HTTP/1.1
host: hooks.northwind.studio
user-agent: Sluice-Webhooks/1
content-type: application/json
X-Service-Event-Id: ${EVENT_ID}
X-Service-Signature: t=1795167605,v1=9f2c1a3b…

${BODY}`);
});

it("shows no signature where there was none", () => {
  const unsigned = sentRequest(
    { eventId: EVENT_ID, body: BODY, history: [{ ...ATTEMPT, problem: "SECRET", signatureStart: null }] },
    "http://127.0.0.1:4000/hooks",
  );
  expect(unsigned).toContain("X-Service-Signature: none");
  expect(unsigned).toContain("host: 127.0.0.1:4000");
});

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

it("lists distinct answers, newest first", () => {
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

it("distinguishes answers by their text", () => {
  expect(groupAnswers([attempt(1, 503, "busy"), attempt(2, 503, "down")])).toHaveLength(2);
});
