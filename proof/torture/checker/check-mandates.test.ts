import { expect, it } from "vitest";
import { checkMandates } from "@/proof/torture/checker/check-mandates";
import type { HistoryEvent } from "@/proof/torture/checker/history";
import type { MandateRow, TransferRow } from "@/proof/torture/checker/read-database";

const MANDATE: MandateRow = {
  organizationId: "o",
  id: "m",
  keyId: "k",
  isSigned: true,
  sourceIds: ["a"],
  destinationIds: ["b"],
  maximumInCents: 5_000,
  totalInCents: 10_000,
  maximumUses: 3,
};

const transfer = (mark: string, change: Partial<TransferRow> = {}): TransferRow => ({
  organizationId: "o",
  id: mark,
  status: "COMPLETE",
  mode: "LIVE",
  direction: "INTERNAL",
  amountInCents: 5_000,
  mark,
  sourceId: "a",
  destinationId: "b",
  ruleId: null,
  executionId: null,
  limitId: null,
  mandateId: "m",
  byKind: "API_KEY",
  byId: "k",
  errorCode: null,
  createdAt: new Date(0),
  acceptedAt: new Date(0),
  holdInCents: 0,
  ...change,
});

let calls = 0;
function called(
  operation: "createTransfer" | "signMandate" | "endMandate",
  mark: string | null,
): HistoryEvent[] {
  calls += 1;
  const call = calls;
  const body = { mandateId: "m" };
  const by = { organizationId: "o", keyId: null, idempotencyKey: null, mark, body };
  return [
    { kind: "called", call, operation, ...by },
    { kind: "answered", call, status: 200, requestId: null, resource: null, refusal: null },
  ];
}

const HISTORY = [
  ...called("createTransfer", "early"),
  ...called("signMandate", null),
  ...called("createTransfer", "one"),
  ...called("createTransfer", "two"),
  ...called("endMandate", null),
  ...called("createTransfer", "late"),
];
const promisesOf = (transfers: TransferRow[], mandates = [MANDATE]) =>
  checkMandates(HISTORY, { transfers, mandates }).map(({ promise }) => promise);

it("is content with what is inside a mandate while it is in force", () => {
  expect(promisesOf([transfer("one"), transfer("two")])).toEqual([]);
  const failed = transfer("three", { status: "FAILED" });
  expect(promisesOf([transfer("one"), transfer("two"), failed])).toEqual([]);
});

it("finds a mandate that moved more than it says, in all, in number or in one transfer", () => {
  const within = ["a mandate moves no more than it says"];
  expect(promisesOf([transfer("one"), transfer("two"), transfer("three", { amountInCents: 1 })])).toEqual(
    within,
  );
  const small = ["1", "2", "3", "4"].map((mark) => transfer(mark, { amountInCents: 1 }));
  expect(promisesOf(small)).toEqual(within);
  expect(promisesOf([transfer("one", { amountInCents: 5_001 })])).toEqual(within);
  expect(promisesOf([transfer("one", { destinationId: "c" })])).toEqual(within);
});

it("finds a transfer that names a mandate before it was signed, after its end, or of another key", () => {
  const inForce = ["no transfer names a mandate that was not in force"];
  expect(promisesOf([transfer("early")])).toEqual(inForce);
  expect(promisesOf([transfer("late")])).toEqual(inForce);
  expect(promisesOf([transfer("one", { byId: "other" })])).toEqual(inForce);
  expect(promisesOf([transfer("one")], [{ ...MANDATE, isSigned: false }])).toEqual(inForce);
  expect(promisesOf([transfer("one")], [])).toEqual(inForce);
});

it("finds a seed in which no transfer used a mandate", () => {
  expect(promisesOf([transfer("one", { mandateId: null })])).toEqual(["every actor acts"]);
});
