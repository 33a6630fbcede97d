import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import {
  type HistoryEvent,
  latestOccasions,
  type Occasion,
  occasionsOf,
  type RuleHistory,
} from "@/lib/engine/backtest/occasions";
import { simulate } from "@/lib/engine/backtest/simulate";
import { evaluate } from "@/lib/engine/evaluate";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const INCOME = "00000000-0000-4000-8000-000000000001";
const TAXES = "00000000-0000-4000-8000-000000000002";
const PROFIT = "00000000-0000-4000-8000-000000000003";
const BANK = "00000000-0000-4000-8000-000000000004";
const DEBT = "00000000-0000-4000-8000-000000000005";
const MANAGED = [INCOME, TAXES, PROFIT];
const START = Date.parse("2026-08-23T12:00:00Z");
const MINUTE_MS = 60_000;
const at = (minute: number) => new Date(START + minute * MINUTE_MS).toISOString();
const numRuns = proofSize(300, 10_000);

function account(name: string, changes: Partial<AccountFacts> = {}): AccountFacts {
  return {
    name,
    type: "POD",
    externalAccountType: null,
    isClosed: false,
    balanceInCents: 0,
    availableInCents: 0,
    floorInCents: null,
    onItsWayInCents: 0,
    nextPaymentMinimumInCents: null,
    lastStatementBalanceInCents: null,
    interestRatePercentage: null,
    ...changes,
  };
}

function managed(name: string, balanceInCents: number, floorInCents: number | null = null): AccountFacts {
  return account(name, { balanceInCents, availableInCents: balanceInCents, floorInCents });
}

function historyOf(
  events: HistoryEvent[],
  changes: Partial<RuleHistory> = {},
  opening: readonly number[] = [0, 0, 0],
): RuleHistory {
  return {
    from: at(0),
    until: at(200_000),
    timeZone: "America/New_York",
    accounts: {
      [INCOME]: { ...managed("Income", opening[0] ?? 0), type: "INCOME_SOURCE" },
      [TAXES]: managed("Taxes", opening[1] ?? 0, 5_000),
      [PROFIT]: managed("Profit", opening[2] ?? 0),
      [BANK]: account("Bank", { type: "EXTERNAL_ACCOUNT", externalAccountType: "DEPOSITORY" }),
      [DEBT]: account("Card", {
        type: "EXTERNAL_ACCOUNT",
        externalAccountType: "LIABILITY",
        balanceInCents: 30_000,
        nextPaymentMinimumInCents: 2_500,
      }),
    },
    events,
    asked: [],
    limitsUsedInCents: {},
    ...changes,
  };
}

const deposit = (minute: number, cents: number, accountId = INCOME): HistoryEvent => ({
  at: at(minute),
  accountId,
  changeInCents: cents,
  arrivedInCents: cents,
});

type Draft = Omit<RuleDefinition, "name" | "description" | "steps" | "limits"> & {
  actions: object[];
  conditions?: object | null;
  limits?: RuleDefinition["limits"];
};

function rule({ trigger, actions, conditions = null, limits = [] }: Draft): RuleDefinition {
  return ruleDefinitionSchema.parse({ name: "Rule", trigger, steps: [{ conditions, actions }], limits });
}

const onArrival = { type: "ON_FUNDS_TRANSFERRED", accountId: INCOME, minimumAmountInCents: null } as const;

function run(definition: RuleDefinition, history: RuleHistory, scheduled: string[] = []) {
  return simulate(definition, history, occasionsOf(definition, history, scheduled));
}

test("a statement and a minimum are paid once a month, however often the version runs", () => {
  const paid = { ofStatementInCents: 0, ofMinimumInCents: 0 };
  const terms = { lastStatementDate: "2026-11-18", nextPaymentDueDate: "2026-12-10" };
  const history = historyOf([], {}, [900_000]);
  const card = {
    ...history.accounts[DEBT],
    lastStatementBalanceInCents: 20_000,
    paid: { ...paid, ...terms },
  };
  const withCard = { ...history, accounts: { ...history.accounts, [DEBT]: card as AccountFacts } };
  const days = Array.from({ length: 60 }, (_, day) => at(day * 1_440));
  const ran = (type: string) =>
    run(
      rule({
        trigger: { type: "MANUAL", accountId: INCOME },
        actions: [{ type, sourceAccountId: INCOME, destinationAccountId: DEBT, group: 0 }],
      }),
      withCard,
      days,
    ).runs.flatMap(({ date, moves }) => moves.map(({ amountInCents }) => [date, amountInCents]));
  expect(ran("LAST_STATEMENT_BALANCE")).toEqual([
    ["2026-08-23", 20_000],
    ["2026-09-18", 20_000],
    ["2026-10-18", 20_000],
  ]);
  expect(ran("NEXT_PAYMENT_MINIMUM")).toEqual([
    ["2026-08-23", 2_500],
    ["2026-09-10", 2_500],
    ["2026-10-10", 2_500],
  ]);
});

const cents = fc.integer({ min: 0, max: 2_000_000 });
const arbitraryEvent = fc.record({
  minute: fc.integer({ min: 1, max: 129_600 }),
  accountId: fc.constantFrom(...MANAGED),
  changeInCents: fc.integer({ min: -400_000, max: 900_000 }),
  isArrival: fc.boolean(),
});
const arbitraryEvents = fc.array(arbitraryEvent, { maxLength: 25 }).map((drafts): HistoryEvent[] =>
  drafts
    .toSorted((one, other) => one.minute - other.minute)
    .map(({ minute, accountId, changeInCents, isArrival }) => ({
      at: at(minute),
      accountId,
      changeInCents,
      arrivedInCents: isArrival && changeInCents > 0 ? changeInCents : null,
    })),
);

const arbitraryAction = fc
  .record({
    type: fc.constantFrom("FIXED", "PERCENTAGE", "TOP_UP", "REMAINDER", "ROUND_DOWN", "TOTAL_AMOUNT_DUE"),
    source: fc.constantFrom(...MANAGED),
    destination: fc.constantFrom(...MANAGED, BANK),
    group: fc.integer({ min: 0, max: 3 }),
    amountInCents: fc.integer({ min: 100, max: 300_000 }),
    percentage: fc.integer({ min: 1, max: 12 }),
    of: fc.constantFrom("INCOMING_AMOUNT", "SOURCE_BALANCE"),
    upTo: fc.boolean(),
    limitId: fc.constantFrom(null, "day", "month"),
  })
  .filter(({ source, destination }) => source !== destination)
  .map(({ type, source, destination, group, amountInCents, percentage, of, upTo, limitId }) => ({
    type,
    sourceAccountId: source,
    destinationAccountId:
      type === "TOTAL_AMOUNT_DUE" ? DEBT : destination === BANK && type === "TOP_UP" ? DEBT : destination,
    group,
    upTo,
    limitId,
    ...(type === "FIXED" || type === "TOP_UP" || type === "ROUND_DOWN" ? { amountInCents } : {}),
    ...(type === "PERCENTAGE" ? { percentage, of } : {}),
  }));
const LIMITS: RuleDefinition["limits"] = [
  { id: "day", period: "DAY", amountInCents: 120_000 },
  { id: "month", period: "MONTH", amountInCents: 400_000 },
];
const arbitraryRule = fc
  .record({
    actions: fc.array(arbitraryAction, { minLength: 1, maxLength: 5 }),
    minimum: fc.constantFrom(null, 0, 50_000),
  })
  .map(({ actions, minimum }) =>
    rule({ trigger: { ...onArrival, minimumAmountInCents: minimum }, actions, limits: LIMITS }),
  );
const arbitraryOpening = fc.tuple(cents, cents, cents);

test("a simulation neither creates nor loses a cent", () => {
  fc.assert(
    fc.property(arbitraryRule, arbitraryEvents, arbitraryOpening, (definition, events, opening) => {
      const { runs, balancesInCents } = run(definition, historyOf(events, {}, opening));
      const moved = runs.flatMap(({ moves }) => moves);
      for (const [index, id] of MANAGED.entries()) {
        const happened = events.filter((event) => event.accountId === id);
        const came = sum(moved.filter((move) => move.destinationAccountId === id));
        const went = sum(moved.filter((move) => move.sourceAccountId === id));
        const real = happened.reduce((total, event) => total + event.changeInCents, 0);
        expect(balancesInCents[id]).toBe((opening[index] ?? 0) + real + came - went);
      }
    }),
    { seed: proofSeed, numRuns },
  );
});

test("the same version twice gives the same result, and the history stays as it was", () => {
  fc.assert(
    fc.property(arbitraryRule, arbitraryEvents, arbitraryOpening, (definition, events, opening) => {
      const history = historyOf(events, {}, opening);
      const before = structuredClone(history);
      expect(run(definition, history)).toEqual(run(definition, history));
      expect(history).toEqual(before);
    }),
    { seed: proofSeed, numRuns },
  );
});

test("replayed on its own history, a version moves what it actually moved", () => {
  fc.assert(
    fc.property(arbitraryRule, arbitraryEvents, arbitraryOpening, (definition, events, opening) => {
      const real = liveThrough(definition, events, opening);
      const { runs } = run(definition, historyOf(events, {}, opening));
      expect(runs.map(({ moves }) => moves)).toEqual(real);
    }),
    { seed: proofSeed, numRuns },
  );
});

test("limits are kept over all days of a simulation", () => {
  fc.assert(
    fc.property(arbitraryRule, arbitraryEvents, arbitraryOpening, (definition, events, opening) => {
      const limited: RuleDefinition = {
        ...definition,
        steps: definition.steps.map((step) => ({
          ...step,
          actions: step.actions.map((action) => ({ ...action, limitId: "month" })),
        })),
      };
      const months = new Map<string, number>();
      for (const { date, moves } of run(limited, historyOf(events, {}, opening)).runs) {
        const month = date.slice(0, 7);
        months.set(month, (months.get(month) ?? 0) + sum(moves));
      }
      for (const movedInCents of months.values()) expect(movedInCents).toBeLessThanOrEqual(400_000);
    }),
    { seed: proofSeed, numRuns },
  );
});

test("splits each deposit, but not below the trigger's minimum", () => {
  const definition = rule({
    trigger: { ...onArrival, minimumAmountInCents: 100_000 },
    actions: [
      {
        type: "PERCENTAGE",
        sourceAccountId: INCOME,
        destinationAccountId: TAXES,
        group: 0,
        percentage: 27,
        of: "INCOMING_AMOUNT",
      },
      { type: "REMAINDER", sourceAccountId: INCOME, destinationAccountId: PROFIT, group: 1 },
    ],
  });
  const { runs, balancesInCents, lowest } = run(
    definition,
    historyOf([deposit(10, 500_000), deposit(20, 99_999), deposit(30, 200_000)]),
  );
  expect(runs.map(({ moves }) => moves.map((move) => move.amountInCents))).toEqual([
    [135_000, 365_000],
    // The small deposit stayed, so the rest of the next deposit includes it.
    [54_000, 245_999],
  ]);
  expect(balancesInCents).toEqual({ [INCOME]: 0, [TAXES]: 189_000, [PROFIT]: 610_999 });
  expect(lowest).toEqual({ at: at(0), balanceInCents: 0 });
});

test("a run that breaks off is reported, and its earlier transfers count", () => {
  const definition = rule({
    trigger: onArrival,
    actions: [
      {
        type: "FIXED",
        sourceAccountId: INCOME,
        destinationAccountId: TAXES,
        group: 0,
        amountInCents: 30_000,
      },
      {
        type: "FIXED",
        sourceAccountId: INCOME,
        destinationAccountId: PROFIT,
        group: 1,
        amountInCents: 30_000,
      },
    ],
  });
  const { runs, lowest } = run(definition, historyOf([deposit(10, 50_000)], {}, [1_000, 0, 0]));
  expect(runs).toMatchObject([{ outcome: "BROKE_OFF", moves: [{ amountInCents: 30_000 }] }]);
  expect(lowest).toEqual({ at: at(0), balanceInCents: 1_000 });
});

test("an unknown value is not zero: the run is reported as unknown", () => {
  const definition = rule({
    trigger: onArrival,
    actions: [
      { type: "LAST_STATEMENT_BALANCE", sourceAccountId: INCOME, destinationAccountId: DEBT, group: 0 },
    ],
  });
  expect(run(definition, historyOf([deposit(10, 50_000)])).runs).toMatchObject([
    { outcome: "UNKNOWN", moves: [] },
  ]);
});

test("a debt always has today's value", () => {
  const definition = rule({
    trigger: onArrival,
    actions: [
      { type: "NEXT_PAYMENT_MINIMUM", sourceAccountId: INCOME, destinationAccountId: DEBT, group: 0 },
    ],
  });
  const { runs } = run(definition, historyOf([deposit(10, 50_000), deposit(20, 50_000)]));
  expect(runs.map(({ moves }) => sum(moves))).toEqual([2_500, 2_500]);
});

test("a limit starts with its period's usage before the history", () => {
  const definition = rule({
    trigger: onArrival,
    limits: [{ id: "month", period: "MONTH", amountInCents: 40_000 }],
    actions: [
      { type: "REMAINDER", sourceAccountId: INCOME, destinationAccountId: TAXES, group: 0, limitId: "month" },
    ],
  });
  const september = 10 * 24 * 60;
  const { runs } = run(
    definition,
    historyOf([deposit(10, 50_000), deposit(september, 50_000)], { limitsUsedInCents: { month: 25_000 } }),
  );
  expect(runs.map(({ moves }) => sum(moves))).toEqual([15_000, 40_000]);
});

test("scheduled and on-demand runs see the events up to then", () => {
  const definition = rule({
    trigger: { type: "MANUAL", accountId: INCOME },
    actions: [{ type: "REMAINDER", sourceAccountId: INCOME, destinationAccountId: TAXES, group: 0 }],
  });
  const history = historyOf([deposit(10, 50_000), deposit(30, 20_000)], {
    asked: [{ at: at(20), incomingAmountInCents: 700 }],
  });
  const { runs } = run(definition, history, [at(40)]);
  expect(runs.map(({ kind, moves }) => [kind, sum(moves)])).toEqual([
    ["ASKED", 50_000],
    ["SCHEDULE", 20_000],
  ]);
});

test("of too many occasions, the latest are kept, over the same period for both versions", () => {
  const occasions = (minutes: number[]): Occasion[] =>
    minutes.map((minute) => ({
      kind: "ARRIVAL",
      at: at(minute),
      eventsBefore: minute,
      incomingAmountInCents: 1,
    }));
  const { lists, from } = latestOccasions([occasions([1, 2, 3, 4, 5]), occasions([2, 4])], 3);
  expect(from).toBe(at(3));
  expect(lists.map((list) => list.map((one) => one.eventsBefore))).toEqual([[3, 4, 5], [4]]);
  expect(latestOccasions([occasions([1, 2])], 3)).toEqual({ lists: [occasions([1, 2])], from: null });
});

function sum(moves: readonly { amountInCents: number }[]): number {
  return moves.reduce((total, move) => total + move.amountInCents, 0);
}

/** An independent model of the rule's runs, with its own books, facts and limits. */
function liveThrough(definition: RuleDefinition, events: HistoryEvent[], opening: readonly number[]) {
  const books = new Map(MANAGED.map((id, index) => [id, opening[index] ?? 0]));
  const used: { limitId: string; day: string; amountInCents: number }[] = [];
  const { accounts } = historyOf([]);
  const book = (id: string, change: number) => {
    const holds = books.get(id);
    if (holds !== undefined) books.set(id, holds + change);
  };
  const runs: object[][] = [];
  for (const event of events) {
    book(event.accountId, event.changeInCents);
    const least =
      definition.trigger.type === "ON_FUNDS_TRANSFERRED" ? definition.trigger.minimumAmountInCents : 0;
    if (event.accountId !== INCOME || event.arrivedInCents === null) continue;
    if (event.arrivedInCents < (least ?? 0)) continue;
    const day = new Date(event.at).toLocaleDateString("en-CA", { timeZone: "America/New_York" });
    const usedIn = (limitId: string, period: string) =>
      sum(used.filter((use) => use.limitId === limitId && use.day.startsWith(period)));
    const facts: RuleFacts = {
      at: event.at,
      date: day,
      incomingAmountInCents: event.arrivedInCents,
      isApprovedByPerson: false,
      accounts: Object.fromEntries(
        Object.entries(accounts).map(([id, one]) => {
          const holds = books.get(id);
          return [id, holds === undefined ? one : { ...one, balanceInCents: holds, availableInCents: holds }];
        }),
      ),
      limitsUsedInCents: { day: usedIn("day", day), month: usedIn("month", day.slice(0, 7)) },
    };
    const evaluation = evaluate(definition, facts);
    const planned = evaluation.kind === "PLANNED" ? evaluation.plan.moves : [];
    const moves = planned.filter((move) => move.outcome === "MOVE");
    for (const move of moves) {
      book(move.sourceAccountId, -move.amountInCents);
      book(move.destinationAccountId, move.amountInCents);
      const limitId = definition.steps[0]?.actions[move.actionIndex]?.limitId;
      if (limitId) used.push({ limitId, day, amountInCents: move.amountInCents });
    }
    runs.push(
      moves.map(({ sourceAccountId, destinationAccountId, amountInCents }) => ({
        sourceAccountId,
        destinationAccountId,
        amountInCents,
      })),
    );
  }
  return runs;
}
