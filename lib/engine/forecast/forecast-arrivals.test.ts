import { describe, expect, it } from "vitest";
import { MAXIMUM_CHAIN_DEPTH } from "@/lib/contract/limits";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import {
  type ForecastFacts,
  type ForecastRule,
  forecastArrivals,
  forecastMoves,
} from "@/lib/engine/forecast/forecast-arrivals";

const id = (letter: string) => `00000000-0000-4000-8000-00000000000${letter}`;
const [A, B, C, D, OUTSIDE] = [id("a"), id("b"), id("c"), id("d"), id("e")];

function account(
  name: string,
  balanceInCents: number | null,
  more: Partial<AccountFacts> = {},
): AccountFacts {
  return {
    name,
    type: "POD",
    externalAccountType: null,
    isClosed: false,
    balanceInCents,
    availableInCents: balanceInCents,
    floorInCents: null,
    onItsWayInCents: 0,
    nextPaymentMinimumInCents: null,
    lastStatementBalanceInCents: null,
    interestRatePercentage: null,
    ...more,
  };
}

const facts: ForecastFacts = {
  at: "2026-11-20T12:00:00.000Z",
  date: "2026-11-20",
  accounts: {
    [A]: account("A", 100_000),
    [B]: account("B", 20_000),
    [C]: account("C", 0),
    [D]: account("D", 0),
    [OUTSIDE]: account("Checking", 50_000, { type: "EXTERNAL_ACCOUNT", externalAccountType: "DEPOSITORY" }),
  },
  limitsUsedInCents: {},
};

type Draft = Partial<RuleAction> & { type: RuleAction["type"] };

function rule(
  accountId: string,
  action: Draft & Record<string, unknown>,
  more: { minimumAmountInCents?: number; conditions?: unknown; limits?: unknown } = {},
): ForecastRule {
  const definition = ruleDefinitionSchema.parse({
    name: `On ${accountId}`,
    trigger: {
      type: "ON_FUNDS_TRANSFERRED",
      accountId,
      minimumAmountInCents: more.minimumAmountInCents ?? null,
    },
    steps: [
      {
        conditions: more.conditions ?? null,
        actions: [{ sourceAccountId: accountId, group: 0, ...action }],
      },
    ],
    limits: more.limits ?? [],
  });
  return { id: `rule of ${accountId}`, name: definition.name, definition };
}

const move = (amountInCents: number, sourceAccountId = A, destinationAccountId = B) => ({
  sourceAccountId,
  destinationAccountId,
  amountInCents,
});
const all = (of: "INCOMING_AMOUNT" | "SOURCE_BALANCE", destinationAccountId: string) =>
  ({ type: "PERCENTAGE", percentage: 100, of, destinationAccountId }) as const;

describe("the rules that an accepted move triggers", () => {
  it("runs with the money that has just arrived, and again with what that run moved", () => {
    const rules = [rule(C, all("INCOMING_AMOUNT", D)), rule(B, all("SOURCE_BALANCE", C))];
    const forecast = forecastMoves([move(10_000)], 0, rules, facts);
    expect(forecast.runs.map(({ rule: ran, outcome, arrival }) => [ran.id, outcome.kind, arrival])).toEqual([
      [`rule of ${B}`, "RUNS", { accountId: B, amountInCents: 10_000, chainDepth: 0, settlesLater: false }],
      [`rule of ${C}`, "RUNS", { accountId: C, amountInCents: 30_000, chainDepth: 1, settlesLater: false }],
    ]);
    expect(forecast.accounts[D]?.balanceInCents).toBe(30_000);
    const sum = (accounts: ForecastFacts["accounts"]) =>
      [A, B, C, D].reduce((total, one) => total + (accounts[one]?.balanceInCents ?? 0), 0);
    expect(sum(forecast.accounts)).toBe(sum(facts.accounts));
  });

  it("lists rules that run but skip: below its minimum, conditions not met, full already, a limit used up", () => {
    const topUp = { type: "TOP_UP", destinationAccountId: A, amountInCents: 50_000 } as const;
    const kinds = (one: ForecastRule, used = {}) =>
      forecastMoves([move(10_000)], 0, [one], { ...facts, limitsUsedInCents: { [one.id]: used } }).runs.map(
        (run) => run.outcome.kind,
      );
    expect(kinds(rule(B, all("SOURCE_BALANCE", C), { minimumAmountInCents: 10_001 }))).toEqual([
      "BELOW_MINIMUM",
    ]);
    expect(
      kinds(
        rule(B, all("SOURCE_BALANCE", C), {
          conditions: { all: [{ fact: "BALANCE", accountId: B, operator: "GREATER_THAN", value: 30_000 }] },
        }),
      ),
    ).toEqual(["CONDITIONS_NOT_MET"]);
    expect(kinds(rule(B, topUp))).toEqual(["NOTHING_TO_MOVE"]);
    const limited = rule(
      B,
      { ...all("SOURCE_BALANCE", C), limitId: "month" },
      { limits: [{ id: "month", period: "MONTH", amountInCents: 10_000 }] },
    );
    expect(kinds(limited, { month: 9_950 })).toEqual(["NOTHING_TO_MOVE"]);
    expect(kinds(limited, { month: 5_000 })).toEqual(["RUNS"]);
  });

  it("keeps floors, because nobody approves it, and says where it would fail or wait", () => {
    const fixed = rule(B, { type: "FIXED", destinationAccountId: C, amountInCents: 15_000 });
    const kind = (accounts: ForecastFacts["accounts"]) =>
      forecastMoves([move(1_000)], 0, [fixed], { ...facts, accounts }).runs[0]?.outcome.kind;
    expect(kind(facts.accounts)).toBe("RUNS");
    expect(kind({ ...facts.accounts, [B]: account("B", 20_000, { floorInCents: 10_000 }) })).toBe("FAILS");
    expect(kind({ ...facts.accounts, [B]: account("B", null) })).toBe("UNKNOWN");
  });

  it("of a pull runs when the bank settles it, after everything booked immediately", () => {
    const rules = [rule(B, all("SOURCE_BALANCE", C)), rule(C, all("INCOMING_AMOUNT", D))];
    const forecast = forecastMoves([move(30_000, OUTSIDE, B), move(5_000, A, C)], 0, rules, facts);
    expect(forecast.runs.map((run) => [run.arrival.accountId, run.isLater])).toEqual([
      [C, false],
      [B, true],
      [C, true],
    ]);
    expect(forecast.accounts[D]?.balanceInCents).toBe(55_000);
    expect(forecast.accounts[B]).toMatchObject({ balanceInCents: 0, onItsWayInCents: 0 });
  });

  it("is empty for an outside account: money that leaves is not an arrival", () => {
    const rules = [rule(OUTSIDE, all("INCOMING_AMOUNT", A))];
    expect(forecastMoves([move(5_000, B, OUTSIDE)], 0, rules, facts).runs).toEqual([]);
  });

  it("ends: at ten rules in a chain, and at fifty runs", () => {
    const circle = [rule(B, all("INCOMING_AMOUNT", C)), rule(C, all("INCOMING_AMOUNT", B))];
    const chain = forecastMoves([move(10_000)], 0, circle, facts);
    expect(chain.runs).toHaveLength(MAXIMUM_CHAIN_DEPTH + 1);
    expect(chain.runs.at(-1)?.outcome).toEqual({ kind: "CHAIN_ENDS" });
    const many = Array.from({ length: 60 }, () => ({
      accountId: B,
      amountInCents: 100,
      chainDepth: 9,
      settlesLater: false,
    }));
    expect(forecastArrivals(many, circle, facts)).toMatchObject({ isCut: true, runs: { length: 50 } });
  });

  it("pays a statement once, however many arrivals trigger the rule", () => {
    const card = account("Card", 90_000, {
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
      lastStatementBalanceInCents: 30_000,
      paid: {
        ofStatementInCents: 10_000,
        ofMinimumInCents: 0,
        lastStatementDate: "2026-11-18",
        nextPaymentDueDate: null,
      },
    });
    const pays = rule(A, {
      type: "LAST_STATEMENT_BALANCE",
      sourceAccountId: A,
      destinationAccountId: OUTSIDE,
    });
    const arrival = { accountId: A, amountInCents: 5_000, chainDepth: 0, settlesLater: false };
    const { runs } = forecastArrivals([arrival, arrival], [pays], {
      ...facts,
      accounts: { ...facts.accounts, [OUTSIDE]: card },
    });
    expect(
      runs.map(({ outcome }) => (outcome.kind === "RUNS" ? outcome.movedInCents : outcome.kind)),
    ).toEqual([20_000, "NOTHING_TO_MOVE"]);
  });
});
