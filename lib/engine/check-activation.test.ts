import { describe, expect, it } from "vitest";
import type { ActivationCheck } from "@/lib/contract/rules/activation-check";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { checkActivation, type JoinedRule } from "@/lib/engine/check-activation";
import { suffices } from "@/lib/engine/suffices";
import { checkWords } from "@/lib/words/rules/activation-words";

const id = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
const A = id("a");
const B = id("b");
const C = id("c");
const INCOME = id("1");
const CHECKING = id("2");
const VISA = id("3");
const BROKER = id("4");

const account = (name: string, more: Partial<AccountFacts> = {}): AccountFacts => ({
  name,
  type: "POD",
  externalAccountType: null,
  isClosed: false,
  balanceInCents: 100_000,
  availableInCents: 100_000,
  floorInCents: null,
  onItsWayInCents: 0,
  nextPaymentMinimumInCents: null,
  lastStatementBalanceInCents: null,
  interestRatePercentage: null,
  ...more,
});
const outside = (name: string, externalAccountType: AccountFacts["externalAccountType"]) =>
  account(name, { type: "EXTERNAL_ACCOUNT", externalAccountType });
const ACCOUNTS: Record<string, AccountFacts> = {
  [A]: account("A"),
  [B]: account("B"),
  [C]: account("C"),
  [INCOME]: account("Salary", { type: "INCOME_SOURCE" }),
  [CHECKING]: outside("Checking", "DEPOSITORY"),
  [VISA]: outside("Visa", "LIABILITY"),
  [BROKER]: outside("Broker", "INVESTMENT"),
};

type Draft = Record<string, unknown>;
const move = (sourceAccountId: string, destinationAccountId: string, more: Draft = {}): Draft => ({
  type: "REMAINDER",
  sourceAccountId,
  destinationAccountId,
  group: 0,
  ...more,
});
const onArrival = (accountId: string): Draft => ({ type: "ON_FUNDS_TRANSFERRED", accountId });
const rule = (trigger: Draft, ...actions: Draft[]): RuleDefinition => withSteps(trigger, { actions });
const withSteps = (trigger: Draft, ...steps: Draft[]): RuleDefinition =>
  ruleDefinitionSchema.parse({ name: "Rule", trigger, steps });
const joined = (name: string, definition: RuleDefinition): JoinedRule => ({ ...definition, id: name, name });

interface Circumstances {
  others?: JoinedRule[];
  accounts?: Record<string, AccountFacts>;
  nextRunAt?: string | null;
}
function check(definition: RuleDefinition, { others = [], accounts, nextRunAt = null }: Circumstances = {}) {
  const checks = checkActivation({
    ruleId: "candidate",
    definition,
    otherActiveRules: others,
    accounts: { ...ACCOUNTS, ...accounts },
    nowAt: "2026-11-20T12:00:00.000Z",
    nextRunAt,
  });
  return {
    of: <Kind extends ActivationCheck["kind"]>(kind: Kind) =>
      checks.find((one): one is Extract<ActivationCheck, { kind: Kind }> => one.kind === kind),
    blocking: checks.filter((one) => one.outcome === "BLOCKS").map((one) => one.kind),
    worthALook: checks.filter((one) => one.outcome === "LOOK").map((one) => one.kind),
  };
}

describe("money that comes back", () => {
  it("blocks a rule on arrivals that sends money to the account that it acts on", () => {
    const { of } = check(rule(onArrival(A), move(B, A)));
    expect(of("NO_CYCLE")).toMatchObject({
      outcome: "BLOCKS",
      chain: [{ id: "candidate", name: "Rule", accountId: A }],
    });
  });

  it("blocks two rules that send to each other, and names the path", () => {
    const others = [joined("Back", rule(onArrival(B), move(B, A)))];
    expect(check(rule(onArrival(A), move(A, B)), { others }).of("NO_CYCLE")).toMatchObject({
      outcome: "BLOCKS",
      chain: [
        { name: "Rule", accountId: B },
        { name: "Back", accountId: A },
      ],
    });
  });

  it("blocks a path back through any number of rules and any step", () => {
    const others = [
      joined(
        "To C",
        withSteps(
          onArrival(B),
          {
            conditions: { all: [{ fact: "DAY_OF_MONTH", operator: "EQUAL", value: 1 }] },
            actions: [move(B, CHECKING)],
          },
          { actions: [move(B, C)] },
        ),
      ),
      joined("To A", rule(onArrival(C), move(C, A))),
    ];
    expect(check(rule(onArrival(A), move(A, B)), { others }).blocking).toEqual(["NO_CYCLE"]);
  });

  it("sees no circle in a rule that no arrival triggers", () => {
    const others = [joined("Back", rule(onArrival(B), move(B, A)))];
    const manual = rule({ type: "MANUAL", accountId: A }, move(A, B));
    expect(check(manual, { others }).blocking).toEqual([]);
    const scheduled = [joined("Back", rule({ type: "MANUAL", accountId: B }, move(B, A)))];
    expect(check(rule(onArrival(A), move(A, B)), { others: scheduled }).blocking).toEqual([]);
  });
});

describe("other problems", () => {
  it("include another rule on arrivals at the same account", () => {
    const others = [joined("First", rule(onArrival(A), move(A, C)))];
    expect(check(rule(onArrival(A), move(A, B)), { others }).of("ONLY_ARRIVAL_RULE")).toEqual({
      kind: "ONLY_ARRIVAL_RULE",
      outcome: "BLOCKS",
      rival: { id: "First", name: "First" },
    });
    expect(check(rule({ type: "MANUAL", accountId: A }, move(A, B)), { others }).blocking).toEqual([]);
  });

  it("include a closed or removed account, even if only a condition uses it", () => {
    const closed = { accounts: { [C]: account("C", { isClosed: true }) } };
    const conditions = { all: [{ fact: "BALANCE", accountId: C, operator: "LESS_THAN", value: 1 }] };
    const looking = withSteps(onArrival(A), { conditions, actions: [move(A, B)] });
    expect(check(looking, closed).of("ACCOUNTS_OPEN")).toMatchObject({ outcome: "BLOCKS", accountIds: [C] });
    expect(check(rule(onArrival(A), move(A, id("9")))).blocking).toEqual(["ACCOUNTS_OPEN"]);
  });

  it.each([
    ["money from a debt", rule(onArrival(A), move(VISA, B)), "CAN_GIVE"],
    ["money from an investment", rule(onArrival(A), move(BROKER, B)), "CAN_GIVE"],
    ["money to where income enters", rule(onArrival(A), move(B, INCOME)), "CAN_RECEIVE"],
    ["both parties outside", rule(onArrival(A), move(CHECKING, BROKER)), "BOTH_OUTSIDE"],
    ["a debt's payment to a pod", rule(onArrival(A), move(A, B, { type: "NEXT_PAYMENT_MINIMUM" })), "DEBTS"],
    [
      "a budget over a pod among debts",
      rule(onArrival(A), {
        type: "SNOWBALL",
        sourceAccountId: A,
        destinationAccountIds: [VISA, B],
        amountInCents: 10_000,
        group: 0,
      }),
      "DEBTS",
    ],
    [
      "a debt filled up",
      rule(onArrival(A), move(A, VISA, { type: "TOP_UP", amountInCents: 500 })),
      "TOP_UP_DEBT",
    ],
  ])("include %s", (_, definition, kind) => {
    expect(check(definition).blocking).toEqual([kind]);
  });

  it("include a schedule without future runs", () => {
    const schedule = { frequency: "DAILY", startAt: "2026-01-01T00:00:00Z", timeZone: "UTC" };
    const definition = rule({ type: "SCHEDULED", accountId: A, schedule }, move(A, B));
    expect(check(definition).blocking).toEqual(["SCHEDULE"]);
    expect(check(definition, { nextRunAt: "2026-01-16T09:00:00.000Z" }).blocking).toEqual([]);
  });

  it("include a group that splits more than 100% of an account", () => {
    const half = move(A, B, { type: "PERCENTAGE", percentage: 50, of: "SOURCE_BALANCE" });
    const definition = rule(onArrival(A), half, { ...half, destinationAccountId: C });
    expect(check(definition).of("SHARES")).toMatchObject({ outcome: "CLEAR", over: [] });
    const [step] = definition.steps;
    const [first, second] = step?.actions ?? [];
    if (!first || !second || second.type !== "PERCENTAGE") throw new Error("No shares");
    const overfull = {
      ...definition,
      steps: [{ conditions: null, actions: [first, { ...second, percentage: 50.5 }] }],
    };
    expect(check(overfull).of("SHARES")).toMatchObject({
      outcome: "BLOCKS",
      over: [{ stepIndex: 0, group: 0, accountId: A, percentage: 100.5 }],
    });
  });
});

describe("warnings", () => {
  it("include the rules that it triggers and those that trigger it", () => {
    const others = [
      joined("After", rule(onArrival(B), move(B, C))),
      joined("Before", rule({ type: "MANUAL", accountId: C }, move(C, A))),
    ];
    const { of } = check(rule(onArrival(A), move(A, B)), { others });
    expect(of("SETS_OFF")).toMatchObject({ outcome: "LOOK", rules: [{ name: "After", accountId: B }] });
    expect(of("SET_OFF_BY")).toMatchObject({ outcome: "LOOK", rules: [{ name: "Before" }] });
  });

  it("include money that enters or leaves Sluice, a floor, and a debt paid regardless of the amount owed", () => {
    const definition = rule(onArrival(A), move(A, VISA), move(CHECKING, B));
    const accounts = { [A]: account("A", { floorInCents: 5_000 }) };
    expect(check(definition, { accounts }).worthALook).toEqual([
      "OVERPAYS",
      "SENDS_OUT",
      "PULLS_IN",
      "FLOORS",
    ]);
  });

  it("name a floor's amount, and the amount to leave that it makes void", () => {
    const rest = (keepInCents: number) => move(A, B, { type: "REMAINDER", keepInCents });
    const accounts = { [A]: account("A", { floorInCents: 800_000 }) };
    const floorsOf = (keepInCents: number) => {
      const found = check(rule(onArrival(A), rest(keepInCents)), { accounts }).of("FLOORS");
      if (!found) throw new Error("No floor was named");
      return {
        floors: found.floors,
        words: checkWords(found, { [A]: { name: "Operating", kind: "POD", isClosed: false } }).text,
      };
    };
    expect(floorsOf(500_000)).toEqual({
      floors: [{ accountId: A, floorInCents: 800_000, voidKeepInCents: 500_000 }],
      words:
        "It never takes Operating below its floor of $8,000.00, so leaving $5,000.00 there has no effect.",
    });
    expect(floorsOf(800_000).words).toBe("It never takes Operating below its floor of $8,000.00.");
    expect(floorsOf(0).floors).toMatchObject([{ voidKeepInCents: null }]);
  });

  it("speak of a deposit only where a deposit starts the rule", () => {
    const suffices = (definition: RuleDefinition) => {
      const found = check(definition).of("SUFFICES");
      return found?.outcome === "CLEAR" ? checkWords(found, {}).text : null;
    };
    const half = move(A, B, { type: "PERCENTAGE", percentage: 50, of: "INCOMING_AMOUNT" });
    expect(suffices(rule(onArrival(A), half))).toContain("the deposit");
    const manual = suffices(rule({ type: "MANUAL", accountId: A }, half));
    expect(manual).not.toContain("deposit");
    expect(manual).toContain("every transfer succeeds");
  });

  it.each([
    ["EQUAL", 10_000, true],
    ["EQUAL", 9_999, false],
    ["GREATER_THAN_OR_EQUAL", 10_000, true],
    ["GREATER_THAN_OR_EQUAL", 9_999, false],
    ["GREATER_THAN", 9_999, true],
    ["GREATER_THAN", 9_998, false],
  ])("know whether available %s %d is enough for $100.00", (operator, value, isEnough) => {
    const conditions = { all: [{ fact: "AVAILABLE_BALANCE", accountId: A, operator, value }] };
    const fixed = move(A, B, { type: "FIXED", amountInCents: 10_000 });
    const asked = withSteps({ type: "MANUAL", accountId: A }, { conditions, actions: [fixed] });
    expect(check(asked).of("SUFFICES")?.outcome).toBe(isEnough ? "CLEAR" : "LOOK");
    // Proven from the rule alone; a floor can stop it, however much is there.
    const proves = (hasFloor: boolean) => asked.steps.map((step) => suffices(step, asked, () => hasFloor));
    expect([proves(false), proves(true)]).toEqual([[isEnough], [false]]);
  });

  it.each([
    ["0 * * * *", undefined],
    ["0,30 * * * *", 48],
  ])("call %s unusually often only above 24 times a day", (cron, timesADay) => {
    const trigger = {
      type: "SCHEDULED",
      accountId: A,
      schedule: { frequency: "CRON", cron, timeZone: "UTC", startAt: "2026-11-20T00:00:00.000Z" },
    };
    const found = check(rule(trigger, move(A, B)), { nextRunAt: "2026-11-20T13:00:00.000Z" }).of("FREQUENT");
    expect(found?.timesADay).toBe(timesADay);
  });

  const amount = (operator: string, value: number) => ({ fact: "INCOMING_AMOUNT", operator, value });
  const stepOf = (conditions: Draft | null) => ({ conditions, actions: [move(A, B)] });
  it.each<[string, (Draft | null)[], number[]]>([
    ["one after a step without conditions", [null, { all: [amount("EQUAL", 1)] }], [1]],
    ["the same conditions twice", [{ all: [amount("EQUAL", 1)] }, { all: [amount("EQUAL", 1)] }], [1]],
    [
      "a narrower bound after a wider one",
      [{ all: [amount("GREATER_THAN_OR_EQUAL", 1_000)] }, { all: [amount("GREATER_THAN", 2_000)] }],
      [1],
    ],
    [
      "a wider bound after a narrower one: it runs",
      [{ all: [amount("GREATER_THAN_OR_EQUAL", 2_000)] }, { all: [amount("GREATER_THAN_OR_EQUAL", 1_000)] }],
      [],
    ],
    [
      "one that a bound before excludes: it runs",
      [{ all: [amount("LESS_THAN", 1_000)] }, { all: [amount("GREATER_THAN_OR_EQUAL", 1_000)] }],
      [],
    ],
  ])("include a step that never runs: %s", (_, conditions, expected) => {
    const found = check(withSteps(onArrival(A), ...conditions.map(stepOf))).of("REACHABLE");
    expect(found).toEqual(
      expected.length > 0 ? { kind: "REACHABLE", outcome: "LOOK", stepIndexes: expected } : undefined,
    );
  });
});
