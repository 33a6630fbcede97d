import { expect, it } from "vitest";
import { checkActors, countSteps } from "@/proof/torture/checker/check-actors";
import type { HistoryEvent } from "@/proof/torture/checker/history";

const by = { organizationId: "o", keyId: null, idempotencyKey: null, mark: null, body: null };

/** Attempts at a deposit, of which so many were accepted. */
function deposits(attempts: number, accepted: number): HistoryEvent[] {
  return Array.from({ length: attempts }, (_, call) => call).flatMap((call): HistoryEvent[] => [
    { kind: "called", call, operation: "deposit", ...by },
    {
      kind: "answered",
      call,
      status: call < accepted ? 200 : 409,
      requestId: null,
      resource: null,
      refusal: null,
    },
  ]);
}

it("finds a step that is refused each time, as every deposit once was", () => {
  const steps = countSteps(deposits(40, 0));
  expect(steps).toEqual({ deposit: { accepted: 0, refused: 40, lost: 0 } });
  expect(checkActors(steps)).toEqual([
    {
      promise: "every actor acts",
      what: "of 40 times deposit, 0 were accepted, 40 refused, 0 without an answer",
    },
  ]);
});

it("is content with a share, and with few attempts that faults explain", () => {
  expect(checkActors(countSteps(deposits(40, 20)))).toEqual([]);
  expect(checkActors(countSteps(deposits(5, 0)))).toEqual([]);
});

it("counts what was not answered, and decisions that came second", () => {
  const decided = { memberId: "m", proposalId: "p", decision: "APPROVE" as const, organizationId: "o" };
  expect(
    countSteps([
      { kind: "called", call: 1, operation: "silence", ...by },
      { kind: "unanswered", call: 1 },
      { kind: "decided", call: 2, ...decided },
      { kind: "verdict", call: 2, result: "DECIDED" },
      { kind: "decided", call: 3, ...decided },
      { kind: "verdict", call: 3, result: "ALREADY_DECIDED" },
      { kind: "decided", call: 4, ...decided },
      { kind: "verdict", call: 4, result: null },
    ]),
  ).toEqual({
    silence: { accepted: 0, refused: 0, lost: 1 },
    decide: { accepted: 1, refused: 1, lost: 1 },
  });
});
