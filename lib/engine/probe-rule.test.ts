/**
 * The checks before activation, verified with the evaluator: first the rules that broke every time
 * and were ticked, then random rules with random money. No passing rule may stop for lack of money, no step or action that
 * "never" does something may do it.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { checkActivation } from "@/lib/engine/check-activation";
import { evaluate } from "@/lib/engine/evaluate";
import { probeRule } from "@/lib/engine/probe-rule";
import { nextOccurrence } from "@/lib/engine/schedule/occurrences";
import { neverMoving } from "@/lib/engine/suffices";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { debt, pod } from "@/lib/testing/rules/rule-examples";

const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const [PAY, TAXES, PROFIT, CARD] = [id(1), id(2), id(3), id(4)] as const;
const NOW = "2026-11-20T17:00:00.000Z";
const ACCOUNTS: Record<string, AccountFacts> = {
  [PAY]: pod(50_000_000),
  [TAXES]: pod(50_000_000),
  [PROFIT]: pod(50_000_000),
  [CARD]: debt(200_000),
};

type Loose = Record<string, unknown>;
const arrival = (minimumAmountInCents: number | null = null): Loose => ({
  type: "ON_FUNDS_TRANSFERRED",
  accountId: PAY,
  minimumAmountInCents,
});
const scheduled = (schedule: Loose): Loose => ({
  type: "SCHEDULED",
  accountId: PAY,
  schedule: { startAt: "2026-01-01T00:00:00Z", timeZone: "America/New_York", ...schedule },
});
const from = (type: string, more: Loose = {}): Loose => ({
  type,
  sourceAccountId: PAY,
  destinationAccountId: TAXES,
  group: 0,
  ...more,
});
const share = (percentage: number, of: "INCOMING_AMOUNT" | "SOURCE_BALANCE", more: Loose = {}) =>
  from("PERCENTAGE", { percentage, of, ...more });
const fixed = (amountInCents: number, more: Loose = {}) => from("FIXED", { amountInCents, ...more });
const rule = (trigger: Loose, steps: Loose[], limits: Loose[] = []): RuleDefinition =>
  ruleDefinitionSchema.parse({ name: "Rule", trigger, steps, limits });
const always = (...actions: Loose[]) => [{ actions }];
const incoming = (operator: string, value: number) => ({ fact: "INCOMING_AMOUNT", operator, value });

function checksOf(definition: RuleDefinition, accounts = ACCOUNTS): ActivationCheck[] {
  const { trigger } = definition;
  const next = trigger.type === "SCHEDULED" ? nextOccurrence(trigger.schedule, new Date(NOW)) : null;
  return checkActivation({
    ruleId: "candidate",
    definition,
    otherActiveRules: [],
    accounts,
    nowAt: NOW,
    nextRunAt: next?.toISOString() ?? null,
  });
}
function find<Kind extends ActivationCheck["kind"]>(checks: ActivationCheck[], kind: Kind) {
  return checks.find((check): check is Extract<ActivationCheck, { kind: Kind }> => check.kind === kind);
}

describe("a check that does not pass", () => {
  it.each<[string, RuleDefinition]>([
    [
      "80% and again 80% of the deposit, in two groups",
      rule(
        arrival(),
        always(
          share(80, "INCOMING_AMOUNT"),
          share(80, "INCOMING_AMOUNT", { group: 1, destinationAccountId: PROFIT }),
        ),
      ),
    ],
    [
      "80% of the deposit and 80% of the balance in one group",
      rule(
        arrival(),
        always(share(80, "INCOMING_AMOUNT"), share(80, "SOURCE_BALANCE", { destinationAccountId: PROFIT })),
      ),
    ],
    ["100% and then $50", rule(arrival(), always(share(100, "INCOMING_AMOUNT"), fixed(5_000, { group: 1 })))],
    [
      "everything and then $50",
      rule(arrival(), always(from("REMAINDER"), fixed(5_000, { group: 1, destinationAccountId: PROFIT }))),
    ],
    ["$50 of whatever arrives", rule(arrival(), always(fixed(5_000)))],
    [
      "a share of another account",
      rule(arrival(), always(share(10, "INCOMING_AMOUNT", { sourceAccountId: PROFIT }))),
    ],
    [
      "a debt without a bound",
      rule(arrival(), always(from("TOTAL_AMOUNT_DUE", { destinationAccountId: CARD }))),
    ],
  ])("%%s: the rule can stop partway, with an example", (_, definition) => {
    const check = find(checksOf(definition), "SUFFICES");
    expect(check?.outcome).toBe("LOOK");
    expect(check?.shortfall).toMatchObject({ stepIndex: 0 });
  });

  it("names a step that always stops partway", () => {
    const everything = rule(arrival(), always(from("REMAINDER"), fixed(5_000, { group: 1 })));
    expect(find(checksOf(everything), "SUFFICES")?.shortfall).toEqual({
      stepIndex: 0,
      sourceAccountId: PAY,
      destinationAccountId: TAXES,
      heldInCents: 100_000,
      leftInCents: 0,
      wantedInCents: 5_000,
      isAlways: true,
    });
    const sometimes = rule(arrival(), always(fixed(5_000)));
    expect(find(checksOf(sometimes), "SUFFICES")?.shortfall).toMatchObject({ isAlways: false });
  });

  it("a floor can stop a transfer despite enough money", () => {
    const definition = rule(arrival(), always(share(100, "SOURCE_BALANCE")));
    expect(find(checksOf(definition), "SUFFICES")?.outcome).toBe("CLEAR");
    const floored = { ...ACCOUNTS, [PAY]: pod(50_000_000, { floorInCents: 10_000 }) };
    expect(find(checksOf(definition, floored), "SUFFICES")?.outcome).toBe("LOOK");
  });

  it.each<[string, RuleDefinition, number[]]>([
    [
      "more than $200 and less than $100",
      rule(arrival(), [
        {
          conditions: { all: [incoming("GREATER_THAN", 20_000), incoming("LESS_THAN", 10_000)] },
          actions: [from("REMAINDER")],
        },
      ]),
      [0],
    ],
    [
      "less than $100 of arrivals from $500",
      rule(arrival(50_000), [
        { conditions: { all: [incoming("LESS_THAN", 10_000)] }, actions: [from("REMAINDER")] },
        { actions: [from("REMAINDER")] },
      ]),
      [0],
    ],
    [
      "a date in the past",
      rule(arrival(), [
        {
          conditions: { all: [{ fact: "DATE", operator: "LESS_THAN", value: "2020-01-01" }] },
          actions: [from("REMAINDER")],
        },
      ]),
      [0],
    ],
    [
      "a day above 31",
      rule(arrival(), [
        {
          conditions: { all: [{ fact: "DAY_OF_MONTH", operator: "GREATER_THAN", value: 31 }] },
          actions: [from("REMAINDER")],
        },
      ]),
      [0],
    ],
    [
      "a day on which its schedule does not run",
      rule(scheduled({ frequency: "MONTHLY", daysOfMonth: [10] }), [
        {
          conditions: { all: [{ fact: "DAY_OF_MONTH", operator: "EQUAL", value: 20 }] },
          actions: [from("REMAINDER")],
        },
        { actions: [from("REMAINDER")] },
      ]),
      [0],
    ],
    [
      "one balance above another that is above it",
      rule(arrival(), [
        {
          conditions: {
            all: [
              {
                fact: "BALANCE",
                accountId: TAXES,
                operator: "GREATER_THAN",
                valueFact: { fact: "BALANCE", accountId: PROFIT },
              },
              {
                fact: "BALANCE",
                accountId: PROFIT,
                operator: "GREATER_THAN",
                valueFact: { fact: "BALANCE", accountId: TAXES },
              },
            ],
          },
          actions: [from("REMAINDER")],
        },
      ]),
      [0],
    ],
    [
      "a Friday the 13th: it comes",
      rule(arrival(), [
        {
          conditions: {
            all: [
              { fact: "DAY_OF_MONTH", operator: "EQUAL", value: 13 },
              { fact: "DAY_OF_WEEK", operator: "EQUAL", value: 5 },
              { fact: "DATE", operator: "GREATER_THAN", value: "2031-06-01" },
            ],
          },
          actions: [from("REMAINDER")],
        },
      ]),
      [],
    ],
  ])("a step never runs: %s", (_, definition, expected) => {
    expect(find(checksOf(definition), "REACHABLE")?.stepIndexes ?? []).toEqual(expected);
  });

  it.each<[string, RuleDefinition]>([
    [
      "a limit of $0.50 a day",
      rule(arrival(), always(fixed(5_000, { limitId: "day", upTo: true })), [
        { id: "day", period: "DAY", amountInCents: 50 },
      ]),
    ],
    [
      "$50 up to what is left after everything",
      rule(arrival(), always(from("REMAINDER"), fixed(5_000, { upTo: true, group: 1 }))),
    ],
    ["what is above a multiple of $0.50", rule(arrival(), always(from("ROUND_DOWN", { amountInCents: 50 })))],
  ])("an action never moves anything: %s", (_, definition) => {
    expect(find(checksOf(definition), "MOVES")).toMatchObject({ outcome: "LOOK" });
  });

  it("a schedule of every minute", () => {
    const minutely = rule(scheduled({ frequency: "CRON", cron: "* * * * *" }), always(from("REMAINDER")));
    expect(find(checksOf(minutely), "FREQUENT")).toEqual({
      kind: "FREQUENT",
      outcome: "LOOK",
      timesADay: 1_440,
    });
    const hourly = rule(scheduled({ frequency: "CRON", cron: "5 * * * *" }), always(from("REMAINDER")));
    expect(find(checksOf(hourly), "FREQUENT")).toBeUndefined();
  });
});

it.each<[string, RuleDefinition]>([
  [
    "a split of the deposit",
    rule(
      arrival(),
      always(share(30, "INCOMING_AMOUNT"), share(70, "INCOMING_AMOUNT", { destinationAccountId: PROFIT })),
    ),
  ],
  [
    "a split of the balance, and then the rest",
    rule(
      arrival(),
      always(share(50, "SOURCE_BALANCE"), from("REMAINDER", { group: 1, destinationAccountId: PROFIT })),
    ),
  ],
  ["$50 of arrivals from $50", rule(arrival(5_000), always(fixed(5_000)))],
  [
    "10% and $50 where $60 arrived",
    rule(arrival(), [
      {
        conditions: { all: [incoming("GREATER_THAN", 6_000)] },
        actions: [share(10, "INCOMING_AMOUNT"), fixed(5_000)],
      },
    ]),
  ],
  [
    "$50 of an account that has $50",
    rule(arrival(), [
      {
        conditions: {
          all: [
            { fact: "AVAILABLE_BALANCE", accountId: PROFIT, operator: "GREATER_THAN_OR_EQUAL", value: 5_000 },
          ],
        },
        actions: [fixed(5_000, { sourceAccountId: PROFIT })],
      },
    ]),
  ],
])("passes: %s", (_, definition) => {
  const checks = checksOf(definition);
  expect(find(checks, "SUFFICES")).toEqual({
    kind: "SUFFICES",
    outcome: "CLEAR",
    shortfall: null,
    isOnArrivals: definition.trigger.type === "ON_FUNDS_TRANSFERRED",
  });
  expect(find(checks, "REACHABLE")).toBeUndefined();
  expect(find(checks, "MOVES")).toBeUndefined();
});

const smallCents = fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 100, max: 100_000 }));
const account = fc.oneof(
  { weight: 4, arbitrary: fc.constant<string>(PAY) },
  { weight: 1, arbitrary: fc.constant<string>(PROFIT) },
);
const condition = fc.oneof(
  fc.record({
    fact: fc.constant("INCOMING_AMOUNT"),
    operator: fc.constantFrom("GREATER_THAN", "GREATER_THAN_OR_EQUAL", "LESS_THAN", "EQUAL", "NOT_EQUAL"),
    value: smallCents,
  }),
  fc.record({
    fact: fc.constantFrom("BALANCE", "AVAILABLE_BALANCE"),
    accountId: fc.constantFrom(PAY, PROFIT, TAXES),
    operator: fc.constantFrom("GREATER_THAN", "GREATER_THAN_OR_EQUAL", "LESS_THAN"),
    value: smallCents,
  }),
  fc.record({
    fact: fc.constant("DAY_OF_MONTH"),
    operator: fc.constantFrom("GREATER_THAN", "LESS_THAN", "EQUAL"),
    value: fc.integer({ min: 0, max: 33 }),
  }),
);
const conditions = fc.option(
  fc.oneof(
    fc.array(condition, { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(condition, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
  ),
  { freq: 3 },
);
const action = fc
  .record({
    type: fc.constantFrom(
      "PERCENTAGE",
      "PERCENTAGE",
      "FIXED",
      "TOP_UP",
      "ROUND_DOWN",
      "REMAINDER",
      "TOTAL_AMOUNT_DUE",
      "SNOWBALL",
    ),
    sourceAccountId: account,
    group: fc.nat(2),
    upTo: fc.nat(3).map((chance) => chance === 0),
    limitId: fc.option(fc.constant("month"), { freq: 4 }),
    amountInCents: smallCents,
    percentage: fc.integer({ min: 1, max: 60 }),
    of: fc.constantFrom("INCOMING_AMOUNT", "SOURCE_BALANCE"),
  })
  .map(({ type, amountInCents, percentage, of, ...shared }): Loose => {
    const one = { ...shared, type, destinationAccountId: TAXES };
    switch (type) {
      case "PERCENTAGE":
        return { ...one, percentage, of };
      case "TOP_UP":
      case "ROUND_DOWN":
        return { ...one, amountInCents };
      case "FIXED":
        return { ...one, amountInCents: Math.max(100, amountInCents) };
      case "REMAINDER":
        return { ...one, keepInCents: amountInCents };
      case "SNOWBALL":
        return {
          ...shared,
          type,
          destinationAccountIds: [CARD],
          amountInCents: Math.max(100, amountInCents),
        };
      default:
        return { ...one, destinationAccountId: CARD };
    }
  });
const ruleArbitrary = fc
  .record({
    minimum: fc.option(smallCents),
    isArrival: fc.boolean(),
    steps: fc.array(fc.record({ conditions, actions: fc.array(action, { minLength: 1, maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    limit: smallCents,
  })
  .map(({ minimum, isArrival, steps, limit }) =>
    ruleDefinitionSchema.safeParse({
      name: "Rule",
      trigger: isArrival ? arrival(minimum) : { type: "MANUAL", accountId: PAY },
      steps,
      limits: [{ id: "month", period: "MONTH", amountInCents: limit }],
    }),
  )
  .filter((parsed) => parsed.success)
  .map((parsed) => parsed.data as RuleDefinition);
const money = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: 300_000 }));
const worldArbitrary = fc.record({
  incoming: money,
  beside: fc.oneof(fc.constant(0), money),
  others: fc.array(
    fc.oneof(
      money,
      money.map((cents) => -cents),
    ),
    { minLength: 3, maxLength: 3 },
  ),
  used: fc.oneof(fc.constant(0), money),
  day: fc.integer({ min: 0, max: 400 }),
});

it("no random rule contradicts its checks", () => {
  const seen = { ticked: 0, unreachable: 0, still: 0, short: 0 };
  const floor = fc.option(fc.integer({ min: 1, max: 20_000 }), { freq: 3 });
  fc.assert(
    fc.property(
      ruleArbitrary,
      floor,
      fc.array(worldArbitrary, { minLength: 40, maxLength: 40 }),
      (definition, floorInCents, worlds) => {
        const accounts = { ...ACCOUNTS, [PAY]: pod(1, { floorInCents }) };
        const checks = checksOf(definition, accounts);
        const isTicked = find(checks, "SUFFICES")?.outcome === "CLEAR";
        const unreachable = find(checks, "REACHABLE")?.stepIndexes ?? [];
        const still = find(checks, "MOVES")?.actions ?? [];
        if (isTicked) seen.ticked += 1;
        else seen.short += 1;
        seen.unreachable += unreachable.length;
        seen.still += still.length;
        const { trigger } = definition;
        const minimum = trigger.type === "ON_FUNDS_TRANSFERRED" ? (trigger.minimumAmountInCents ?? 1) : 0;
        for (const { incoming: arrived, beside, others, used, day } of worlds) {
          const incomingAmountInCents = Math.max(arrived, minimum);
          const date = new Date(Date.parse("2026-11-20T00:00:00Z") + day * 86_400_000)
            .toISOString()
            .slice(0, 10);
          const facts: RuleFacts = {
            at: NOW,
            date,
            incomingAmountInCents,
            isApprovedByPerson: false,
            accounts: {
              [PAY]: pod(incomingAmountInCents + beside, { floorInCents }),
              [TAXES]: pod(others[0] ?? 0),
              [PROFIT]: pod(others[1] ?? 0),
              [CARD]: debt(others[2] ?? 0),
            },
            limitsUsedInCents: { month: used },
          };
          const evaluation = evaluate(definition, facts);
          if (evaluation.kind !== "PLANNED") throw new Error("Everything is known");
          const { stepIndexMatched, moves } = evaluation.plan;
          if (isTicked) expect(moves.filter(({ outcome }) => outcome === "FAILED")).toEqual([]);
          if (stepIndexMatched === null) continue;
          expect(unreachable).not.toContain(stepIndexMatched);
          const moved = new Set(
            moves.filter(({ outcome }) => outcome === "MOVE").map(({ actionIndex }) => actionIndex),
          );
          const step = definition.steps[stepIndexMatched];
          const neverOfStep = step ? neverMoving(step, definition.limits) : [];
          expect(neverOfStep.filter((actionIndex) => moved.has(actionIndex))).toEqual([]);
        }
      },
    ),
    { numRuns: proofSize(40, 10_000), seed: proofSeed },
  );
  expect(Math.min(seen.ticked, seen.unreachable, seen.still, seen.short)).toBeGreaterThan(0);
});

describe("probing a rule", () => {
  const tried = (percentage: number, accounts = ACCOUNTS) =>
    probeRule(rule(arrival(), always(share(percentage, "INCOMING_AMOUNT"))), accounts, "2026-11-20");

  it("is cached per rule whatever its balances, and repeated for a different floor", () => {
    const first = tried(11);
    expect(tried(11)).toBe(first);
    expect(tried(11, { ...ACCOUNTS, [PAY]: pod(1) })).toBe(first);
    expect(tried(12)).not.toBe(first);
    const guarded = { ...ACCOUNTS, [PAY]: { ...pod(50_000_000), floorInCents: 1_000 } };
    expect(tried(11, guarded)).not.toBe(first);
  });

  it("keeps the answers of a bounded number of rules", () => {
    const first = tried(11);
    for (let percentage = 20; percentage < 60; percentage += 1) tried(percentage);
    expect(tried(11)).not.toBe(first);
    expect(tried(11)).toEqual(first);
  });
});
