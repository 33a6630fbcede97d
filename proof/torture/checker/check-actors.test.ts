import { expect, it } from "vitest";
import { checkActors, countSteps, isEnough, reasonWords } from "@/proof/torture/checker/check-actors";
import type { HistoryEvent } from "@/proof/torture/checker/history";

const by = { organizationId: "o", keyId: null, idempotencyKey: null, mark: null, body: null };

/** Attempts at a deposit, of which so many were accepted, and so many cut off. */
function deposits({ accepted = 0, refused = 0, cut = 0 }): HistoryEvent[] {
  const answered = { kind: "answered", requestId: null, resource: null, refusal: null } as const;
  const outcomes = [
    ...Array.from({ length: accepted }, () => ({ ...answered, status: 200 })),
    ...Array.from({ length: refused }, () => ({ ...answered, status: 409 })),
    ...Array.from({ length: cut }, () => ({ kind: "unanswered", because: "CUT" }) as const),
  ];
  return outcomes.flatMap((outcome, call): HistoryEvent[] => [
    { kind: "called", call, operation: "deposit", ...by },
    { ...outcome, call },
  ]);
}

const many = { accepted: 100, refused: 0, cut: 0, reasons: {} };
/** Of a seed in which all other actors did what they should. */
const others = {
  createTransfer: many,
  triggerRule: many,
  createAccount: many,
  getTransfer: many,
  decide: many,
  cancelTransfer: many,
  proposeMandate: many,
  signMandate: many,
  endMandate: many,
};
const violationsOf = (given: Parameters<typeof deposits>[0]) =>
  checkActors({ ...others, ...countSteps(deposits(given)) });

it("finds a step that is refused each time, as every deposit once was", () => {
  expect(countSteps(deposits({ refused: 40 }))).toEqual({
    deposit: { accepted: 0, refused: 40, cut: 0, reasons: { "without a reason": 40 } },
  });
  expect(violationsOf({ refused: 40 })).toEqual([
    {
      promise: "every actor acts",
      what: "of 40 times deposit, 0 were accepted, 40 refused (without a reason 40), 0 cut off",
    },
  ]);
});

it("judges the share of what was answered, however much was cut off", () => {
  expect(violationsOf({ accepted: 20, refused: 20 })).toEqual([]);
  expect(violationsOf({ accepted: 20, refused: 20, cut: 500 })).toEqual([]);
  expect(violationsOf({ accepted: 20, refused: 90 })).toHaveLength(1);
});

it("counts a call that is repeated under its idempotency key as refused once, however long the database is down", () => {
  const called = { kind: "called", operation: "proposeMandate", ...by, idempotencyKey: "m1" } as const;
  const answered = {
    kind: "answered",
    requestId: null,
    resource: null,
    refusal: "UNEXPECTED_ERROR: no",
  } as const;
  const failing = Array.from({ length: 12 }, (_, call): HistoryEvent[] => [
    { ...called, call },
    { ...answered, call, status: 500 },
  ]).flat();
  const last: HistoryEvent[] = [
    { ...called, call: 12 },
    { ...answered, call: 12, status: 202, refusal: null },
    { ...called, call: 13, idempotencyKey: "m2" },
    { ...answered, call: 13, status: 500 },
  ];
  expect(countSteps([...failing, ...last])).toEqual({
    proposeMandate: { accepted: 1, refused: 2, cut: 0, reasons: { UNEXPECTED_ERROR: 2 } },
  });
});

it("finds a seed in which too little was accepted to prove anything", () => {
  expect(violationsOf({ accepted: 9, cut: 40 })).toHaveLength(1);
  expect(violationsOf({ accepted: 10, cut: 40 })).toEqual([]);
  expect(checkActors({})).toHaveLength(10);
});

it("finds a rare step of which all attempts were cut off, and is content with few", () => {
  const cutOff = (cut: number) =>
    checkActors({ ...others, deposit: many, revokeKey: { accepted: 0, refused: 0, cut, reasons: {} } });
  expect(cutOff(59)).toEqual([]);
  expect(cutOff(60)).toHaveLength(1);
});

it("counts what was not answered, and decisions that came second", () => {
  const decided = { memberId: "m", proposalId: "p", decision: "APPROVE" as const, organizationId: "o" };
  expect(
    countSteps([
      { kind: "called", call: 1, operation: "silence", ...by },
      { kind: "unanswered", call: 1, because: "CUT" },
      { kind: "called", call: 5, operation: "silence", ...by },
      { kind: "unanswered", call: 5, because: "SILENT" },
      { kind: "decided", call: 2, ...decided },
      { kind: "verdict", call: 2, result: "DECIDED", refusal: null, because: null },
      { kind: "decided", call: 3, ...decided },
      { kind: "verdict", call: 3, result: "ALREADY_DECIDED", refusal: "ALREADY_DECIDED", because: null },
      { kind: "decided", call: 4, ...decided },
      { kind: "verdict", call: 4, result: null, refusal: null, because: "CUT" },
      { kind: "decided", call: 6, ...decided },
      { kind: "verdict", call: 6, result: null, refusal: null, because: "FAILED" },
    ]),
  ).toEqual({
    silence: { accepted: 0, refused: 1, cut: 1, reasons: { SILENT: 1 } },
    decide: { accepted: 1, refused: 2, cut: 1, reasons: { ALREADY_DECIDED: 1, FAILED: 1 } },
  });
});

it("names why steps were refused: the code, or the sentence where there is none", () => {
  const refused = (call: number, refusal: string): HistoryEvent[] => [
    { kind: "called", call, operation: "signMandate", ...by },
    { kind: "answered", call, status: 409, requestId: null, resource: null, refusal },
  ];
  const steps = countSteps([
    ...refused(1, "ACCESS_DENIED: All gates are closed."),
    ...refused(2, "CHANGED"),
    ...refused(3, "REFUSED: You have signed this mandate already."),
    ...refused(4, "REFUSED: You have signed this mandate already."),
  ]);
  expect(reasonWords(steps.signMandate?.reasons ?? {})).toBe(
    '"You have signed this mandate already." 2, ACCESS_DENIED 1, CHANGED 1',
  );
});

it("goes on until each step was accepted as many times as it must, and asks no share for that", () => {
  const seed = (accepted: number) => ({ ...others, ...countSteps(deposits({ accepted, refused: 90 })) });
  expect(isEnough(seed(9))).toBe(false);
  expect(isEnough(seed(10))).toBe(true);
  expect(checkActors(seed(10))).toHaveLength(1);
});
