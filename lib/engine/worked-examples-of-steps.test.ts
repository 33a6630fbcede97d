import { describe, expect, it } from "vitest";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { checkConditions, type RuleComparison, type RuleConditions } from "@/lib/engine/check-conditions";
import { evaluate } from "@/lib/engine/evaluate";
import { simulatedBase, withBase } from "@/lib/engine/run-facts";
import { debt, factsOf, fromTo, fromToDebts, planOf, pod, tableOf } from "@/lib/testing/rules/rule-examples";

const RICH = { Operating: pod(100_000), Rent: pod(0), Taxes: pod(0), Profit: pod(0) };
const move = (to: string, amountInCents: number) =>
  ({ type: "FIXED", ...fromTo("Operating", to), amountInCents }) as const;
const balance = (accountId: string, operator: RuleComparison["operator"], value: number): RuleComparison => ({
  fact: "BALANCE",
  accountId,
  operator,
  value,
});

function holds(conditions: RuleConditions, facts: RuleFacts): boolean {
  return checkConditions(conditions, facts, []);
}

describe("a comparison", () => {
  it.each<[RuleComparison["operator"], [boolean, boolean, boolean]]>([
    ["EQUAL", [false, true, false]],
    ["NOT_EQUAL", [true, false, true]],
    ["GREATER_THAN", [false, false, true]],
    ["GREATER_THAN_OR_EQUAL", [false, true, true]],
    ["LESS_THAN", [true, false, false]],
    ["LESS_THAN_OR_EQUAL", [true, true, false]],
  ])("%s of a cent below, equal and a cent above", (operator, expected) => {
    const found = [49_999, 50_000, 50_001].map((cents) =>
      holds({ all: [balance("Operating", operator, 50_000)] }, factsOf({ Operating: pod(cents) })),
    );
    expect(found).toEqual(expected);
  });

  // 14 March 2027 is a Sunday, 15 March a Monday; 29 February 2028 a Tuesday; 1 January 2000 a Saturday.
  it.each([
    ["2027-03-14", 7, 14],
    ["2027-03-15", 1, 15],
    ["2028-02-29", 2, 29],
    ["2000-01-01", 6, 1],
    ["2027-12-31", 5, 31],
  ])("of %s knows its day of the week, %i, and of the month, %i", (date, dayOfWeek, dayOfMonth) => {
    const facts = factsOf({}, { date });
    expect(holds({ all: [{ fact: "DAY_OF_WEEK", operator: "EQUAL", value: dayOfWeek }] }, facts)).toBe(true);
    expect(holds({ all: [{ fact: "DAY_OF_MONTH", operator: "EQUAL", value: dayOfMonth }] }, facts)).toBe(
      true,
    );
  });

  it.each<[RuleComparison["operator"], string, boolean]>([
    ["LESS_THAN", "2027-04-01", true],
    ["LESS_THAN", "2027-03-14", false],
    ["GREATER_THAN_OR_EQUAL", "2027-03-14", true],
    ["GREATER_THAN", "2026-12-31", true],
    ["EQUAL", "2027-03-14", true],
    ["NOT_EQUAL", "2027-03-14", false],
  ])("of the date with %s %s is %j on 14 March 2027", (operator, value, expected) => {
    expect(holds({ all: [{ fact: "DATE", operator, value }] }, factsOf({}))).toBe(expected);
  });

  it("compares a fact with another fact: what is available with what the card wants", () => {
    const covers: RuleConditions = {
      all: [
        {
          fact: "AVAILABLE_BALANCE",
          accountId: "Operating",
          operator: "GREATER_THAN_OR_EQUAL",
          valueFact: { fact: "LAST_STATEMENT_BALANCE", accountId: "Visa" },
        },
      ],
    };
    const at = (cents: number) =>
      factsOf({
        // All of it is there, of which a part is held.
        Operating: pod(100_000, { availableInCents: cents }),
        Visa: debt(90_000, { lastStatementBalanceInCents: 60_000 }),
      });
    expect([holds(covers, at(60_000)), holds(covers, at(59_999))]).toEqual([true, false]);
  });

  it("of the incoming amount takes a zero for a zero", () => {
    const large: RuleConditions = { all: [{ fact: "INCOMING_AMOUNT", operator: "GREATER_THAN", value: 0 }] };
    expect(holds(large, factsOf({}, { incomingAmountInCents: 0 }))).toBe(false);
    expect(holds(large, factsOf({}, { incomingAmountInCents: 1 }))).toBe(true);
  });
});

describe("all and any", () => {
  const [yes, no] = [balance("Operating", "EQUAL", 100_000), balance("Operating", "EQUAL", 1)];
  it.each<[string, RuleConditions, boolean]>([
    ["all of true and true", { all: [yes, yes] }, true],
    ["all of true and false", { all: [yes, no] }, false],
    ["any of false and true", { any: [no, yes] }, true],
    ["any of false and false", { any: [no, no] }, false],
    ["all of any and any", { all: [{ any: [no, yes] }, { any: [yes, no] }] }, true],
    ["any of all and all", { any: [{ all: [no, yes] }, { all: [yes, no] }] }, false],
    ["three deep", { any: [no, { all: [yes, { any: [no, yes] }] }] }, true],
    ["three deep, the innermost deciding", { any: [no, { all: [yes, { any: [no, no] }] }] }, false],
  ])("%s", (_, conditions, expected) => {
    expect(holds(conditions, factsOf(RICH))).toBe(expected);
  });

  it("evaluate no more than needed, and mark the rest as not evaluated", () => {
    const trace: Parameters<typeof checkConditions>[2] = [];
    // The second account's balance is unknown.
    const conditions: RuleConditions = {
      all: [{ any: [yes, balance("Unknown", "GREATER_THAN", 0)] }, balance("Rent", "GREATER_THAN", 0), yes],
    };
    expect(checkConditions(conditions, factsOf({ ...RICH, Unknown: pod(null) }), trace)).toBe(false);
    expect(trace).toEqual([
      { path: "0.0", outcome: "HOLDS", leftValue: 100_000, rightValue: 100_000 },
      { path: "0.1", outcome: "NOT_LOOKED_AT", leftValue: null, rightValue: null },
      { path: "1", outcome: "DOES_NOT_HOLD", leftValue: 0, rightValue: 0 },
      { path: "2", outcome: "NOT_LOOKED_AT", leftValue: null, rightValue: null },
    ]);
  });
});

describe("if, else if, else", () => {
  const rule: Pick<RuleDefinition, "steps" | "limits"> = {
    limits: [],
    steps: [
      {
        conditions: { all: [balance("Operating", "GREATER_THAN", 80_000)] },
        actions: [move("Rent", 30_000)],
      },
      {
        conditions: { all: [balance("Operating", "GREATER_THAN", 50_000)] },
        actions: [move("Taxes", 20_000)],
      },
      { conditions: null, actions: [move("Profit", 1_000)] },
    ],
  };
  it.each([
    [80_001, 0, "Operating → Rent", 30_000],
    [80_000, 1, "Operating → Taxes", 20_000],
    [50_000, 2, "Operating → Profit", 1_000],
  ])("with %i cents runs step %i: %s, %i", (cents, stepIndex, to, amountInCents) => {
    const plan = planOf(rule, factsOf({ ...RICH, Operating: pod(cents) }));
    expect(plan.stepIndexMatched).toBe(stepIndex);
    expect(tableOf(plan)).toEqual([[to, amountInCents, "MOVE"]]);
    const [before, after] = ["CONDITIONS_NOT_MET", "NOT_LOOKED_AT"];
    expect(plan.steps.map(({ outcome }) => outcome)).toEqual(
      [0, 1, 2].map((index) => (index === stepIndex ? "RAN" : index < stepIndex ? before : after)),
    );
  });

  it("without an else runs nothing, which is not a failure", () => {
    const plan = planOf({ ...rule, steps: rule.steps.slice(0, 2) }, factsOf({ ...RICH, Operating: pod(1) }));
    expect(plan).toMatchObject({ stepIndexMatched: null, moves: [], actionsNotReached: 0 });
  });
});

describe("the base of a dry run (specification, Part 4, trigger rule 2)", () => {
  // The real balance is 700.00, of which 100.00 are held.
  const read = factsOf({ Operating: pod(70_000, { availableInCents: 60_000 }), Taxes: pod(0) });
  const rule: Pick<RuleDefinition, "steps" | "limits"> = {
    limits: [],
    steps: [
      {
        conditions: null,
        actions: [
          { type: "PERCENTAGE", of: "INCOMING_AMOUNT", ...fromTo("Operating", "Taxes"), percentage: 10 },
          { type: "REMAINDER", ...fromTo("Operating", "Profit"), keepInCents: 0, group: 1 },
        ],
      },
    ],
  };
  const base = { execute: 40_000, simulated: 90_000, funds: 5_000 };
  const BY_HAND = { type: "MANUAL" } as const;
  const ON_ARRIVAL = { type: "ON_FUNDS_TRANSFERRED" } as const;

  // simulatedSourceBalance, executeAmount, simulatedIncomingFunds → balance, available, incoming amount.
  it.each<[boolean, boolean, boolean, [number, number, number]]>([
    // Nothing given: the real balance, and the incoming amount is what is available of it.
    [false, false, false, [70_000, 60_000, 60_000]],
    // Nothing but a deposit: 70,000 + 5,000; 60,000 + 5,000.
    [false, false, true, [75_000, 65_000, 65_000]],
    // The amount stands for the balance too.
    [false, true, false, [40_000, 40_000, 40_000]],
    // 40,000 + 5,000; what came in stays 40,000.
    [false, true, true, [45_000, 45_000, 40_000]],
    [true, false, false, [90_000, 90_000, 90_000]],
    // 90,000 + 5,000.
    [true, false, true, [95_000, 95_000, 95_000]],
    // The simulated balance comes before the amount, which is still the incoming amount.
    [true, true, false, [90_000, 90_000, 40_000]],
    [true, true, true, [95_000, 95_000, 40_000]],
  ])("balance %j, amount %j, deposit %j: %j", (hasBalance, hasAmount, hasFunds, expected) => {
    const given = {
      ...(hasBalance && { simulatedSourceBalanceInCents: base.simulated }),
      ...(hasAmount && { executeAmountInCents: base.execute }),
      ...(hasFunds && { simulatedIncomingFundsInCents: base.funds }),
    };
    const facts = withBase(read, "Operating", simulatedBase(BY_HAND, given));
    const { balanceInCents, availableInCents } = facts.accounts.Operating ?? {};
    const [, available, incoming] = expected;
    expect([balanceInCents, availableInCents, facts.incomingAmountInCents]).toEqual(expected);
    const withProfit = { ...facts, accounts: { ...facts.accounts, Profit: pod(0) } };
    expect(tableOf(planOf(rule, withProfit))).toEqual([
      ["Operating → Taxes", incoming / 10, "MOVE"],
      ["Operating → Profit", available - incoming / 10, "MOVE"],
    ]);
  });

  // Of a rule that acts on arrivals, a deposit is the amount that came in, unless an amount says otherwise.
  it.each<[boolean, boolean, [number, number]]>([
    [false, false, [75_000, 5_000]],
    [false, true, [45_000, 40_000]],
    [true, false, [95_000, 5_000]],
    [true, true, [95_000, 40_000]],
  ])("of arrivals, with a deposit; balance %j, amount %j: %j", (hasBalance, hasAmount, expected) => {
    const given = {
      simulatedIncomingFundsInCents: base.funds,
      ...(hasBalance && { simulatedSourceBalanceInCents: base.simulated }),
      ...(hasAmount && { executeAmountInCents: base.execute }),
    };
    const facts = withBase(read, "Operating", simulatedBase(ON_ARRIVAL, given));
    expect([facts.accounts.Operating?.balanceInCents, facts.incomingAmountInCents]).toEqual(expected);
  });

  it("takes a zero as given", () => {
    const zero = {
      executeAmountInCents: 0,
      simulatedSourceBalanceInCents: 0,
      simulatedIncomingFundsInCents: 0,
    };
    const facts = withBase(read, "Operating", simulatedBase(BY_HAND, zero));
    expect(facts.accounts.Operating).toMatchObject({ balanceInCents: 0, availableInCents: 0 });
    expect(facts.incomingAmountInCents).toBe(0);
  });

  it("replaces the balance in conditions too, but no other account's", () => {
    const simulated = simulatedBase(BY_HAND, { simulatedSourceBalanceInCents: 123 });
    const facts = withBase(factsOf({ Operating: pod(70_000), Taxes: pod(456) }), "Operating", simulated);
    expect(holds({ all: [balance("Operating", "EQUAL", 123)] }, facts)).toBe(true);
    expect(holds({ all: [balance("Taxes", "EQUAL", 456)] }, facts)).toBe(true);
  });

  it("replaces an unknown balance if given, and invents none otherwise", () => {
    const unknown = factsOf({ Operating: pod(null) });
    const nothing = simulatedBase(BY_HAND, { simulatedIncomingFundsInCents: 5_000 });
    const reported = { ...nothing, simulatedSourceBalanceInCents: 10_000 };
    expect(withBase(unknown, "Operating", reported).accounts.Operating?.availableInCents).toBe(15_000);
    const untold = withBase(unknown, "Operating", nothing);
    expect([untold.accounts.Operating?.balanceInCents, untold.incomingAmountInCents]).toEqual([null, null]);
  });

  it("of a live run is the real balance, with nothing added", () => {
    const reported = withBase(read, "Operating", { mode: "LIVE", incomingAmountInCents: 40_000 });
    expect(reported).toEqual({ ...read, incomingAmountInCents: 40_000 });
    const untold = withBase(read, "Operating", { mode: "LIVE", incomingAmountInCents: null });
    expect(untold).toEqual({ ...read, incomingAmountInCents: 60_000 });
  });
});

describe("an unknown value", () => {
  const waitsFor = (
    accounts: Record<string, AccountFacts>,
    action: RuleDefinition["steps"][number]["actions"][number],
  ) => evaluate({ limits: [], steps: [{ conditions: null, actions: [action] }] }, factsOf(accounts));
  it.each<[string, ReturnType<typeof waitsFor>, string, string | null]>([
    [
      "the source",
      waitsFor({ ...RICH, Operating: pod(null) }, move("Rent", 100)),
      "AVAILABLE_BALANCE",
      "Operating",
    ],
    [
      "the account that is filled",
      waitsFor(
        { ...RICH, Rent: pod(null) },
        { type: "TOP_UP", ...fromTo("Operating", "Rent"), amountInCents: 100 },
      ),
      "BALANCE",
      "Rent",
    ],
    [
      "the minimum",
      waitsFor(
        { ...RICH, Visa: debt(100) },
        { type: "NEXT_PAYMENT_MINIMUM", ...fromTo("Operating", "Visa") },
      ),
      "NEXT_PAYMENT_MINIMUM",
      "Visa",
    ],
    [
      "the statement",
      waitsFor(
        { ...RICH, Visa: debt(100) },
        { type: "LAST_STATEMENT_BALANCE", ...fromTo("Operating", "Visa") },
      ),
      "LAST_STATEMENT_BALANCE",
      "Visa",
    ],
    [
      "one of several debts",
      waitsFor(
        { ...RICH, Visa: debt(100), Amex: debt(null) },
        { type: "SNOWBALL", ...fromToDebts("Operating", "Visa", "Amex"), amountInCents: 100 },
      ),
      "BALANCE",
      "Amex",
    ],
    [
      "what came in",
      waitsFor(RICH, {
        type: "PERCENTAGE",
        of: "INCOMING_AMOUNT",
        ...fromTo("Operating", "Rent"),
        percentage: 10,
      }),
      "INCOMING_AMOUNT",
      null,
    ],
  ])("of %s makes the run wait, and is named", (_, evaluation, fact, accountId) => {
    expect(evaluation).toEqual({ kind: "UNKNOWN", missing: { fact, accountId } });
  });
});

describe("what callers must provide", () => {
  it("includes every account that the rule names", () => {
    const action = move("Nowhere", 100);
    const named = { limits: [], steps: [{ conditions: null, actions: [action] }] };
    expect(() => evaluate(named, factsOf(RICH))).toThrow("The facts lack the account Nowhere");
    const asked = { conditions: { all: [balance("Nowhere", "EQUAL", 0)] }, actions: [move("Rent", 100)] };
    expect(() => evaluate({ limits: [], steps: [asked] }, factsOf(RICH))).toThrow(
      "The facts lack the account",
    );
  });

  it("includes a limit and its usage: ignoring either would allow any amount", () => {
    const steps = [{ conditions: null, actions: [{ ...move("Rent", 100), limitId: "rent" }] }];
    expect(() => evaluate({ limits: [], steps }, factsOf(RICH))).toThrow("The rule lacks the limit rent");
    const limits: RuleDefinition["limits"] = [{ id: "rent", period: "DAY", amountInCents: 100 }];
    expect(() => evaluate({ limits, steps }, factsOf(RICH))).toThrow("lack the usage of the limit rent");
  });
});

describe("likely mistakes in rules", () => {
  const [one, two, three] = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`);
  const written = (actions: object[], limits: object[] = []) =>
    ruleDefinitionSchema.safeParse({
      name: "Mistake",
      trigger: { type: "MANUAL", accountId: one },
      limits,
      steps: [{ actions }],
    });
  const shared = { sourceAccountId: one, destinationAccountId: two, group: 0 };

  it("pay an account that is listed twice among the debts once", () => {
    const parsed = written([
      {
        type: "SNOWBALL",
        sourceAccountId: one,
        destinationAccountIds: [two, three, two],
        group: 0,
        amountInCents: 900,
      },
    ]);
    const accounts = { [one ?? ""]: pod(10_000), [two ?? ""]: debt(200), [three ?? ""]: debt(300) };
    expect(
      planOf(ruleDefinitionSchema.parse(parsed.data), factsOf(accounts)).moves.map((m) => m.amountInCents),
    ).toEqual([200, 300]);
  });

  it("pay each of two equal shares its own part", () => {
    const half = {
      type: "PERCENTAGE",
      of: "SOURCE_BALANCE",
      ...fromTo("Operating", "Taxes"),
      percentage: 50,
    } as const;
    // One object, in two places.
    const plan = planOf(
      { limits: [], steps: [{ conditions: null, actions: [half, half] }] },
      factsOf({
        ...RICH,
        Operating: pod(501),
      }),
    );
    expect(tableOf(plan)).toEqual([
      ["Operating → Taxes", 251, "MOVE"],
      ["Operating → Taxes", 250, "MOVE"],
    ]);
  });

  it.each<[string, ReturnType<typeof written>, string]>([
    [
      "an account that pays itself",
      written([{ type: "REMAINDER", ...shared, destinationAccountId: one }]),
      "another account",
    ],
    [
      "an account that pays itself among its debts",
      written([
        {
          type: "AVALANCHE",
          sourceAccountId: one,
          destinationAccountIds: [two, one],
          group: 0,
          amountInCents: 900,
        },
      ]),
      "another account",
    ],
    [
      "a limit whose name no object keeps",
      written(
        [{ type: "REMAINDER", ...shared, limitId: "__proto__" }],
        [{ id: "__proto__", period: "DAY", amountInCents: 100 }],
      ),
      "must not be __proto__",
    ],
    [
      "a limit that is not there",
      written([{ type: "REMAINDER", ...shared, limitId: "rent" }]),
      "id of a limit",
    ],
    [
      "more than the whole",
      written([
        { type: "PERCENTAGE", of: "SOURCE_BALANCE", ...shared, percentage: 66.6667 },
        { type: "PERCENTAGE", of: "SOURCE_BALANCE", ...shared, percentage: 33.3334 },
      ]),
      "the maximum is 100",
    ],
    [
      "a fifth decimal",
      written([{ type: "PERCENTAGE", of: "SOURCE_BALANCE", ...shared, percentage: 33.33333 }]),
      "four decimals",
    ],
  ])("are refused: %s", (_, parsed, message) => {
    expect(parsed.error?.issues.map((issue) => issue.message).join()).toContain(message);
  });
});
