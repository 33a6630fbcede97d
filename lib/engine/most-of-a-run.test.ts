import { describe, expect, it } from "vitest";
import { incomingThresholds } from "@/lib/engine/check-conditions";
import { mostOfRun } from "@/lib/engine/most-of-a-run";
import { ACCOUNT, act, ruleOf, SPLIT_RULE, share } from "@/lib/testing/rules/example-rules";

const fixed = (amountInCents: number, more: Record<string, unknown> = {}) =>
  act({ type: "FIXED", destinationAccountId: ACCOUNT.taxes, amountInCents, ...more });
const rest = act({ type: "REMAINDER", destinationAccountId: ACCOUNT.operating });

describe("the most that one run can move", () => {
  it("is the full balance as soon as one step takes the rest", () => {
    expect(mostOfRun(SPLIT_RULE)).toMatchObject({ kind: "ALL" });
    expect(mostOfRun(ruleOf({ steps: [{ actions: [fixed(500)] }, { actions: [rest] }] })).kind).toBe("ALL");
  });

  it("leaves what every action leaves in its source", () => {
    const above = (keepInCents: number) => act({ ...Object(rest), keepInCents });
    expect(
      mostOfRun(ruleOf({ steps: [{ actions: [above(800_000)] }, { actions: [above(900_000)] }] })),
    ).toEqual({
      kind: "ALL",
      sourceAccountIds: [ACCOUNT.client],
      keepInCents: 800_000,
      destinationAccountIds: [ACCOUNT.operating],
    });
    expect(mostOfRun(ruleOf({ steps: [{ actions: [fixed(500), above(800_000)] }] }))).toMatchObject({
      keepInCents: 0,
    });
  });

  it("is the largest step's sum if every action has an amount or a limit", () => {
    const limits = [{ id: "l", period: "MONTH", amountInCents: 700 }];
    const steps = [
      { actions: [fixed(500), fixed(300)] },
      { actions: [fixed(900, { limitId: "l" }), act({ ...Object(rest), limitId: "l" })] },
    ];
    expect(mostOfRun(ruleOf({ steps, limits }))).toEqual({
      kind: "UP_TO",
      amountInCents: 1_400,
      destinationAccountIds: [ACCOUNT.taxes, ACCOUNT.operating],
    });
  });

  it("is a percentage if a step splits part of one amount", () => {
    const steps = [{ actions: [share(27, ACCOUNT.taxes), share(10, ACCOUNT.profit)] }];
    expect(mostOfRun(ruleOf({ steps }))).toMatchObject({ kind: "SHARE", percentage: 37 });
  });
});

it("is the amount owed if every action pays debts", () => {
  const pays = (type: "LAST_STATEMENT_BALANCE" | "NEXT_PAYMENT_MINIMUM" | "TOTAL_AMOUNT_DUE") =>
    act({ type, destinationAccountId: ACCOUNT.visa });
  expect(mostOfRun(ruleOf({ steps: [{ actions: [pays("LAST_STATEMENT_BALANCE")] }] }))).toEqual({
    kind: "OWED",
    due: "LAST_STATEMENT_BALANCE",
    destinationAccountIds: [ACCOUNT.visa],
  });
  const both = [pays("NEXT_PAYMENT_MINIMUM"), pays("TOTAL_AMOUNT_DUE")];
  expect(mostOfRun(ruleOf({ steps: [{ actions: both }] }))).toMatchObject({ kind: "OWED", due: null });
  expect(mostOfRun(ruleOf({ steps: [{ actions: [...both, rest] }] })).kind).toBe("ALL");
});

describe("the marks of a slider", () => {
  it("are the amounts at which a rule changes its behavior, each once, in order", () => {
    expect(incomingThresholds(SPLIT_RULE)).toEqual([
      { atInCents: 10_000, stepIndex: 1 },
      { atInCents: 100_000, stepIndex: 0 },
    ]);
    const trigger = { type: "ON_FUNDS_TRANSFERRED", accountId: ACCOUNT.client, minimumAmountInCents: 5_000 };
    const conditions = {
      any: [
        { all: [{ fact: "INCOMING_AMOUNT", operator: "LESS_THAN", value: 9_000 }] },
        { fact: "BALANCE", accountId: ACCOUNT.taxes, operator: "LESS_THAN", value: 1 },
        { fact: "INCOMING_AMOUNT", operator: "EQUAL", value: 5_000 },
      ],
    };
    expect(incomingThresholds(ruleOf({ trigger, steps: [{ conditions, actions: [rest] }] }))).toEqual([
      { atInCents: 5_000, stepIndex: null },
      { atInCents: 9_000, stepIndex: 0 },
    ]);
  });
});
