import { expect, test } from "vitest";
import type { PlannedMove } from "@/lib/contract/rules/plan";
import { ACCOUNT, act, NAMES, ruleOf, SPLIT_RULE, shareInput } from "@/lib/testing/rules/example-rules";
import {
  failureWords,
  moveText,
  moveWords,
  type RunInWords,
  runErrorMessage,
  skipWords,
  unknownWords,
} from "@/lib/words/rules/trace-words";

const move = (given: Partial<PlannedMove>): PlannedMove => ({
  actionIndex: 0,
  type: "FIXED",
  group: 0,
  sourceAccountId: ACCOUNT.client,
  destinationAccountId: ACCOUNT.owner,
  description: null,
  baseInCents: null,
  wantedInCents: 62_000,
  caps: [],
  amountInCents: 62_000,
  outcome: "MOVE",
  errorCode: null,
  ...given,
});

const runOf = (actions: unknown[], limits: unknown[] = []): RunInWords => ({
  rule: ruleOf({ steps: [{ actions }], limits }),
  plan: { stepIndexMatched: 0 },
  names: NAMES,
  facts: { accounts: {} },
});
const available = (atInCents: number) => ({ kind: "AVAILABLE" as const, atInCents });

test("the parts of an amount: deposit, share, remaining limit", () => {
  const parts = moveWords(
    move({
      actionIndex: 1,
      type: "PERCENTAGE",
      destinationAccountId: ACCOUNT.payroll,
      baseInCents: 520_000,
      wantedInCents: 156_000,
      caps: [{ kind: "LIMIT", atInCents: 124_000, limitId: "payroll" }, available(390_000)],
      amountInCents: 124_000,
    }),
    { rule: SPLIT_RULE, plan: { stepIndexMatched: 0 }, names: NAMES, facts: { accounts: {} } },
  );
  expect(parts).toEqual([
    [
      { text: "$5,200.00", isKey: true },
      { text: " that arrived", isKey: false },
    ],
    [
      { text: "30% is ", isKey: false },
      { text: "$1,560.00", isKey: true },
    ],
    [
      { text: "of $6,000.00 a month only ", isKey: false },
      { text: "$1,240.00", isKey: true },
      { text: " is left", isKey: false },
    ],
  ]);
});

const to = { destinationAccountId: ACCOUNT.owner };
const card = { destinationAccountId: ACCOUNT.visa };

test.each([
  [{ type: "FIXED", ...to, amountInCents: 62_000 }, {}, "$620.00 as the rule says"],
  [
    { ...shareInput(25, ACCOUNT.taxes) },
    { baseInCents: 520_000, wantedInCents: 130_000 },
    "$5,200.00 that arrived · 25% is $1,300.00 · no limit",
  ],
  [
    { ...shareInput(25, ACCOUNT.taxes), of: "SOURCE_BALANCE" },
    { baseInCents: 520_000, wantedInCents: 130_000 },
    "$5,200.00 in Client payments · 25% is $1,300.00 · no limit",
  ],
  [
    { type: "TOP_UP", ...to, amountInCents: 200_000 },
    { baseInCents: 215_000, wantedInCents: 0, amountInCents: 0, outcome: "SKIPPED" },
    "It holds $2,150.00 · fill up to $2,000.00 · nothing to add",
  ],
  [
    { type: "TOP_UP", ...to, amountInCents: 200_000 },
    { baseInCents: 100_000, wantedInCents: 100_000, caps: [available(30_000)], amountInCents: 30_000 },
    "It holds $1,000.00 · fill up to $2,000.00 · $1,000.00 to add · Client payments has only $300.00",
  ],
  [
    { type: "ROUND_DOWN", ...to, amountInCents: 10_000 },
    { baseInCents: 123_456, wantedInCents: 3_456 },
    "$1,234.56 in Client payments · above a multiple of $100.00 is $34.56",
  ],
  [
    { type: "REMAINDER", ...to, keepInCents: 50_000 },
    { baseInCents: 214_000, wantedInCents: 164_000 },
    "$2,140.00 left in Client payments · $500.00 stays, so $1,640.00",
  ],
  [{ type: "NEXT_PAYMENT_MINIMUM", ...card }, { wantedInCents: 3_500 }, "The next minimum payment is $35.00"],
  [
    { type: "NEXT_PAYMENT_MINIMUM", ...card },
    { baseInCents: 3_500, wantedInCents: 1_500 },
    "The next minimum payment is $35.00 · $20.00 of it is paid or on its way · $15.00 is left",
  ],
  [
    { type: "LAST_STATEMENT_BALANCE", ...card },
    { baseInCents: 90_000, wantedInCents: 0, amountInCents: 0, outcome: "SKIPPED" },
    "The last statement is $900.00 · all of it is paid or on its way",
  ],
  [
    { type: "LAST_STATEMENT_BALANCE", ...card },
    { baseInCents: -1_250, wantedInCents: 0, amountInCents: 0, outcome: "SKIPPED" },
    "The last statement is −$12.50 · nothing to move",
  ],
  [
    { type: "LAST_STATEMENT_BALANCE", ...card },
    { wantedInCents: 90_000, caps: [{ kind: "OWED", atInCents: 40_000 }], amountInCents: 40_000 },
    "The last statement is $900.00 · only $400.00 is owed",
  ],
  [{ type: "TOTAL_AMOUNT_DUE", ...card }, { baseInCents: 500, wantedInCents: 500 }, "$5.00 is owed"],
  [
    { type: "PERCENTAGE_OF_LIABILITY", ...card, percentage: 25 },
    { baseInCents: 80_000, wantedInCents: 20_000, caps: [{ kind: "OWED", atInCents: 80_000 }] },
    "$800.00 is owed · 25% is $200.00",
  ],
  [
    { type: "SNOWBALL", destinationAccountIds: [ACCOUNT.visa, ACCOUNT.loan], amountInCents: 80_000 },
    { baseInCents: 50_000, wantedInCents: 50_000, caps: [{ kind: "OWED", atInCents: 90_000 }] },
    "$500.00 of $800.00 left · $900.00 is owed · pay $500.00",
  ],
  [
    { type: "AVALANCHE", destinationAccountIds: [ACCOUNT.visa], amountInCents: 80_000 },
    {
      baseInCents: 0,
      wantedInCents: 0,
      amountInCents: 0,
      outcome: "SKIPPED",
      caps: [{ kind: "OWED", atInCents: 90_000 }],
    },
    "$0.00 of $800.00 left · $900.00 is owed · the budget is used up",
  ],
] as const)("every action's arithmetic has its words: $0.type, %#", (action, given, words) => {
  const { caps = [], ...rest } = { caps: [], ...given };
  expect(moveText(move({ type: action.type, ...rest, caps: [...caps] }), runOf([act(action)]))).toBe(words);
});

test("every skip has its reason in words", () => {
  const run = runOf([act({ type: "FIXED", ...to, amountInCents: 62_000 })]);
  const skipped = (given: Partial<PlannedMove>) =>
    skipWords(move({ outcome: "SKIPPED", amountInCents: 0, ...given }), run);
  expect(skipped({ amountInCents: 99 })).toBe("below $1.00, the minimum transfer");
  expect(skipped({ caps: [{ kind: "LIMIT", atInCents: 0, limitId: "x" }] })).toBe("its limit is used up");
  expect(skipped({ caps: [{ kind: "OWED", atInCents: 0 }] })).toBe("nothing is owed");
  expect(skipped({ caps: [available(0)] })).toBe("Client payments is empty");
  expect(skipped({ type: "TOP_UP", wantedInCents: 0, baseInCents: 215_000 })).toBe(
    "it already holds $2,150.00",
  );
  expect(skipped({ type: "REMAINDER", wantedInCents: 0 })).toBe("nothing to move");
  expect(skipWords(move({}), run)).toBeNull();
});

test("a failure names the requested amount, the available amount and what did not run", () => {
  const short = move({ outcome: "FAILED", errorCode: "INSUFFICIENT_FUNDS", caps: [available(10_000)] });
  expect(runErrorMessage({ moves: [move({}), short], actionsNotReached: 2 }, NAMES)).toBe(
    "Could not move $620.00 from Client payments to Owner’s pay: Client payments has only $100.00. 2 later actions did not run.",
  );
  const floor = move({
    outcome: "FAILED",
    errorCode: "BELOW_FLOOR",
    caps: [{ kind: "FLOOR", atInCents: 0, floorInCents: 100_000 }],
  });
  expect(failureWords(floor, NAMES)).toBe("Client payments would go below its floor of $1,000.00");
  const closed = { ...NAMES, [ACCOUNT.owner]: { name: "Owner’s pay", kind: "POD" as const, isClosed: true } };
  const toClosed = move({ outcome: "FAILED", errorCode: "ACCOUNT_CLOSED" });
  expect(failureWords(toClosed, closed)).toBe("Owner’s pay was closed");
  // Opened again since: nothing says which of the two it was.
  expect(failureWords(toClosed, NAMES)).toBe("an account was closed");
  expect(runErrorMessage({ moves: [move({})], actionsNotReached: 0 }, NAMES)).toBeNull();
});

test("unknown values are named", () => {
  expect(unknownWords({ fact: "BALANCE", accountId: ACCOUNT.payroll }, NAMES)).toBe(
    "The balance of Payroll is unknown.",
  );
  expect(unknownWords({ fact: "INCOMING_AMOUNT", accountId: null }, NAMES)).toBe(
    "The starting amount is unknown.",
  );
});
