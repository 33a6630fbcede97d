/** What the largest rules that may be written cost in each analysis (docs/behavior/rules.md, "Definitions"). */
import { describe, expect, it } from "vitest";
import { comparisonProblems, MAXIMUM_COMPARISONS } from "@/lib/contract/rules/comparison-count";
import { MAXIMUM_DEFINITION_LENGTH } from "@/lib/contract/rules/draft";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { accountsOf } from "@/lib/engine/accounts-of";
import { simulatingAhead } from "@/lib/engine/backtest/ahead";
import {
  latestOccasions,
  maximumOccasions,
  occasionsOf,
  type RuleHistory,
} from "@/lib/engine/backtest/occasions";
import { simulating } from "@/lib/engine/backtest/simulate";
import { checkActivation, findCycle, type JoinedRule, probeDate } from "@/lib/engine/check-activation";
import { forecastingMoves } from "@/lib/engine/forecast/forecast-arrivals";
import { mostOfRun } from "@/lib/engine/most-of-a-run";
import { probeRule, probing } from "@/lib/engine/probe-rule";
import { occurrencesBetween, upcoming } from "@/lib/engine/schedule/occurrences";
import { leastMs, leastPartsMs } from "@/lib/testing/least-time";
import { debt, pod } from "@/lib/testing/rules/rule-examples";

const MAXIMUM_MS = 250;
const MAXIMUM_DELAY_MS = 50;
const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-20T17:00:00Z");
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const PAY = id(0);
const ON_ARRIVAL = { type: "ON_FUNDS_TRANSFERRED", accountId: PAY };
const day = (number: number) => new Date(NOW + number * DAY_MS).toISOString().slice(0, 10);

const pays = (number: number) => ({
  type: "FIXED",
  sourceAccountId: PAY,
  destinationAccountId: id(1 + number),
  amountInCents: 100 + number,
  group: number % 50,
});
const snowball = (number: number) => ({
  type: "SNOWBALL",
  sourceAccountId: PAY,
  destinationAccountIds: Array.from({ length: 20 }, (_, index) => id(1 + number * 20 + index)),
  amountInCents: 10_000,
  group: 0,
});

/** `MAXIMUM_COMPARISONS` comparisons in 20 steps. */
function comparing(comparison: (number: number) => object, trigger: object = ON_ARRIVAL): object {
  const ofStep = MAXIMUM_COMPARISONS / 20;
  return {
    name: "Rule",
    trigger,
    steps: Array.from({ length: 20 }, (_, step) => ({
      conditions: { any: Array.from({ length: ofStep }, (_, index) => comparison(step * ofStep + index)) },
      actions: [pays(step)],
    })),
  };
}

/** As many actions as fit into a body, each in the step that its number says. */
function acting(action: (number: number) => object, ofStep: number): object {
  const limits = Array.from({ length: 20 }, (_, number) => ({
    id: `limit${number}`,
    period: "MONTH",
    amountInCents: 1_000_000,
  }));
  const steps: { conditions: object | null; actions: object[] }[] = [];
  const rule = { name: "Rule", trigger: ON_ARRIVAL, steps, limits };
  for (let number = 0; number < 20 * ofStep; number += 1) {
    if (number % ofStep === 0) {
      const value = 1_000 * (21 - steps.length);
      const conditions = { all: [{ fact: "INCOMING_AMOUNT", operator: "GREATER_THAN", value }] };
      steps.push({ conditions, actions: [] });
    }
    steps.at(-1)?.actions.push({ ...action(number), limitId: `limit${number % 20}` });
    if (JSON.stringify(rule).length > MAXIMUM_DEFINITION_LENGTH - 3_000) break;
  }
  return rule;
}

const schedule = (more: object) => ({
  type: "SCHEDULED",
  accountId: PAY,
  schedule: { startAt: "2026-01-01T00:00:00Z", timeZone: "America/New_York", ...more },
});
/** On 29 February if it is a Sunday: once in 28 years, or in 40. */
const RARE = { frequency: "CRON", cron: "0 0 29 2 */7", onNonBankingDay: "NEXT_BANKING_DAY" };
const LATE = "9900-01-01T00:00:00Z";
const onDate = (number: number) => ({ fact: "DATE", operator: "EQUAL", value: day(7 + 11 * number) });
const BALANCES = ["BALANCE", "AVAILABLE_BALANCE"];
const mixed = (number: number) =>
  [
    onDate(number),
    { fact: "DAY_OF_MONTH", operator: "LESS_THAN", value: 1 + (number % 31) },
    { fact: "BALANCE", accountId: id(number), operator: "GREATER_THAN", value: number },
    {
      fact: "BALANCE",
      accountId: id(number),
      operator: "GREATER_THAN",
      valueFact: { fact: BALANCES[number % 2], accountId: id(number + 1) },
    },
    { fact: "DAY_OF_WEEK", operator: "EQUAL", valueFact: { fact: "DAY_OF_MONTH" } },
  ][number % 5] ?? {};

const SENT: Record<string, object> = {
  "dates only": comparing(onDate),
  "every kind of comparison": comparing(mixed),
  "dates on a daily schedule": comparing(onDate, schedule({ frequency: "DAILY" })),
  "dates on a leap day": comparing(onDate, schedule({ frequency: "CRON", cron: "0 0 29 2 *" })),
  "dates on a rare day that moves to a banking day": comparing(onDate, schedule({ ...RARE, startAt: LATE })),
  "dates on every minute": comparing(onDate, schedule({ frequency: "CRON", cron: "* * * * *" })),
  "balances that all depend on each other": comparing((number) => ({
    fact: "BALANCE",
    accountId: id(number),
    operator: "LESS_THAN",
    valueFact: { fact: "BALANCE", accountId: id(number + 1) },
  })),
  "as many transfers as fit": acting(pays, 50),
  "as many debts as fit": acting(snowball, 4),
  "as many debts as fit in one step": acting(snowball, 50),
};
const NAMES = Object.keys(SENT);
const ruleNamed = (name: string): RuleDefinition => ruleDefinitionSchema.parse(SENT[name]);

function accountsFor(rule: RuleDefinition): Record<string, AccountFacts> {
  const debts = new Set(
    rule.steps.flatMap(({ actions }) =>
      actions.flatMap((action) => ("destinationAccountIds" in action ? action.destinationAccountIds : [])),
    ),
  );
  const paid = { ofStatementInCents: 0, ofMinimumInCents: 0 };
  const terms = { lastStatementDate: "2026-08-18", nextPaymentDueDate: "2026-09-10" };
  const owed = debt(900_000, {
    nextPaymentMinimumInCents: 500,
    lastStatementBalanceInCents: 2_000,
    paid: { ...paid, ...terms },
  });
  return Object.fromEntries(
    accountsOf(rule).map((accountId) => [accountId, debts.has(accountId) ? owed : pod(50_000_000)]),
  );
}

/** 90 days with an arrival every 43 minutes. */
function historyFor(rule: RuleDefinition): RuleHistory {
  const from = NOW - 90 * DAY_MS;
  const events = Array.from({ length: 3_000 }, (_, index) => ({
    at: new Date(from + index * 43 * 60_000).toISOString(),
    accountId: PAY,
    changeInCents: 30_000,
    arrivedInCents: 30_000,
  }));
  return {
    from: new Date(from).toISOString(),
    until: new Date(NOW).toISOString(),
    timeZone: "America/New_York",
    accounts: accountsFor(rule),
    events,
    asked: [],
    limitsUsedInCents: {},
  };
}

describe("the largest rules", () => {
  it.each(NAMES)("may be written: %s", (name) => {
    expect(comparisonProblems(SENT[name])).toEqual([]);
    expect(JSON.stringify(SENT[name]).length).toBeLessThanOrEqual(MAXIMUM_DEFINITION_LENGTH);
  });

  it.each(NAMES)("are tried in their corners within the time: %s", (name) => {
    const rule = ruleNamed(name);
    const accounts = accountsFor(rule);
    const { totalMs, longestPartMs } = leastPartsMs((attempt) => probing(rule, accounts, day(attempt)));
    expect(totalMs).toBeLessThan(MAXIMUM_MS);
    expect(longestPartMs).toBeLessThan(MAXIMUM_DELAY_MS);
  });

  it.each(NAMES)("are checked and summed up without a delay, once tried: %s", (definitionName) => {
    const definition = ruleNamed(definitionName);
    const accounts = accountsFor(definition);
    const nowAt = new Date(NOW).toISOString();
    const probe = probeRule(definition, accounts, probeDate(nowAt));
    const subject = { ruleId: "rule", definition, otherActiveRules: [], accounts, nowAt, nextRunAt: nowAt };
    expect(leastMs(() => checkActivation(subject, probe))).toBeLessThan(MAXIMUM_DELAY_MS);
    expect(leastMs(() => mostOfRun(definition))).toBeLessThan(MAXIMUM_DELAY_MS);
  });

  it.each(NAMES)("are backtested, and simulated ahead, within the time: %s", (name) => {
    const rule = ruleNamed(name);
    const history = historyFor(rule);
    const maximum = maximumOccasions([rule], Object.keys(history.accounts).length);
    const scheduled = Array.from({ length: 3_000 }, (_, index) =>
      new Date(Date.parse(history.from) + index * 43 * 60_000).toISOString(),
    );
    const [occasions = []] = latestOccasions([occasionsOf(rule, history, scheduled)], maximum).lists;
    expect(occasions.length).toBeGreaterThanOrEqual(10);
    const back = leastPartsMs(() => simulating(rule, history, occasions));
    // The version and the active one.
    expect(2 * back.totalMs).toBeLessThan(MAXIMUM_MS);
    expect(back.longestPartMs).toBeLessThan(MAXIMUM_DELAY_MS);
    const present = { accounts: history.accounts, limitsUsedInCents: {} };
    const ahead = leastPartsMs(() => simulatingAhead(rule, history, present));
    expect(ahead.totalMs).toBeLessThan(MAXIMUM_MS);
    expect(ahead.longestPartMs).toBeLessThan(MAXIMUM_DELAY_MS);
  });

  it.each(NAMES)("are forecast within the time: %s", (name) => {
    const definition = ruleNamed(name);
    const accounts = { ...accountsFor(definition), [id(9_999)]: pod(50_000_000) };
    const unused = Object.fromEntries(definition.limits.map((limit) => [limit.id, 0]));
    const facts = {
      at: new Date(NOW).toISOString(),
      date: day(0),
      accounts,
      limitsUsedInCents: { rule: unused },
    };
    const moves = Array.from({ length: 50 }, () => ({
      sourceAccountId: id(9_999),
      destinationAccountId: PAY,
      amountInCents: 30_000,
    }));
    const rules = [{ id: "rule", name: definition.name, definition }];
    const { totalMs, longestPartMs } = leastPartsMs(() => forecastingMoves(moves, 0, rules, facts));
    expect(totalMs).toBeLessThan(MAXIMUM_MS);
    expect(longestPartMs).toBeLessThan(MAXIMUM_DELAY_MS);
  });
});

it.each([{ ...RARE }, { ...RARE, startAt: LATE }, { frequency: "CRON", cron: "* * * * *" }])(
  "finds the next runs of a schedule without a delay: %j",
  (more) => {
    const { trigger } = ruleDefinitionSchema.parse(comparing(onDate, schedule(more)));
    if (trigger.type !== "SCHEDULED") throw new Error("The rule has no schedule");
    for (const timeZone of ["America/New_York", "Australia/Lord_Howe"]) {
      const scheduled = { ...trigger.schedule, timeZone };
      // Two days before clocks change, so that a whole day of changed clocks is listed.
      const from = new Date("2026-10-31T12:00:00Z");
      expect(leastMs(() => upcoming(scheduled, from, 5))).toBeLessThan(MAXIMUM_DELAY_MS);
      const changed = new Date("2026-11-02T12:00:00Z");
      expect(leastMs(() => occurrencesBetween(scheduled, from, changed, 2_000))).toBeLessThan(
        MAXIMUM_DELAY_MS,
      );
    }
  },
);

it("looks for a cycle among many rules of one account in linear work", () => {
  const definition = ruleDefinitionSchema.parse({
    name: "Rule",
    trigger: ON_ARRIVAL,
    steps: [{ actions: [pays(1)] }],
  });
  const joined = (number: number): JoinedRule => ({ id: `rule${number}`, ...definition });
  const others = Array.from({ length: 20_000 }, (_, number) => joined(1 + number));
  expect(leastMs(() => findCycle(joined(0), others))).toBeLessThan(MAXIMUM_DELAY_MS);
});
