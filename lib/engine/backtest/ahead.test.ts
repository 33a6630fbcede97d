import { expect, test } from "vitest";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { historyAhead, simulateAhead } from "@/lib/engine/backtest/ahead";
import type { RuleHistory } from "@/lib/engine/backtest/occasions";

const [A, B, DEBT] = ["a", "b", "c"].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`) as [
  string,
  string,
  string,
];
const ZONE = "America/New_York";

function account(balanceInCents: number, changes: Partial<AccountFacts> = {}): AccountFacts {
  return {
    name: "An account",
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
    ...changes,
  };
}

const HISTORY: RuleHistory = {
  from: "2026-08-22T12:00:00.000Z",
  until: "2026-11-20T12:00:00.000Z",
  timeZone: ZONE,
  accounts: { [A]: account(0), [B]: account(0) },
  events: [
    { at: "2026-08-20T12:00:00.000Z", accountId: A, changeInCents: -700, arrivedInCents: null },
    {
      at: "2026-09-10T12:00:00.000Z",
      accountId: B,
      changeInCents: 50,
      arrivedInCents: null,
      isReplaced: true,
    },
    { at: "2026-09-14T12:00:00.000Z", accountId: A, changeInCents: 10_000, arrivedInCents: 10_000 },
  ],
  asked: [],
  limitsUsedInCents: { month: 1 },
};

const fixed = (more: object) =>
  ruleDefinitionSchema.parse({
    name: "A rule",
    steps: [
      {
        actions: [
          { type: "FIXED", sourceAccountId: A, destinationAccountId: B, group: 0, amountInCents: 3_000 },
        ],
      },
    ],
    ...more,
  });

test("the coming weeks repeat the past ones from today's available money, each on its weekday", () => {
  const accounts = { [A]: account(9_000, { availableInCents: 8_000 }), [B]: account(500) };
  const ahead = historyAhead(HISTORY, { accounts, limitsUsedInCents: { month: 42 } });
  expect(ahead).toMatchObject({ from: HISTORY.until, limitsUsedInCents: { month: 42 } });
  expect(ahead.accounts[A]).toMatchObject({ balanceInCents: 8_000, availableInCents: 8_000 });
  // Neither what was in progress when the history began, nor what the rule replaces.
  expect(ahead.events.map(({ at }) => at)).toEqual(["2026-12-14T12:00:00.000Z"]);
  expect(new Date("2026-12-14").getUTCDay()).toBe(new Date("2026-09-14").getUTCDay());
});

test("a schedule runs at its own times, not before it starts, and stops when the money is gone", () => {
  const weekly = fixed({
    trigger: {
      type: "SCHEDULED",
      accountId: A,
      schedule: {
        frequency: "WEEKLY",
        dayOfWeek: 1,
        time: "09:00",
        timeZone: ZONE,
        startAt: "2026-12-01T00:00:00.000Z",
      },
    },
  });
  const { runs } = simulateAhead(weekly, HISTORY, {
    accounts: { [A]: account(2_000), [B]: account(0) },
    limitsUsedInCents: {},
  });
  expect(runs[0]).toMatchObject({ kind: "SCHEDULE", date: "2026-12-07", outcome: "BROKE_OFF" });
  // The deposit of 14 September comes again on 14 December, before or after the run of that day.
  expect(runs.filter(({ outcome }) => outcome === "RAN").map(({ date }) => date)).toHaveLength(4);
  expect(runs.at(-1)?.outcome).toBe("BROKE_OFF");
});

test("a statement that is paid is not paid again in its month", () => {
  const pays = ruleDefinitionSchema.parse({
    name: "Pay the card",
    trigger: {
      type: "SCHEDULED",
      accountId: A,
      schedule: { frequency: "DAILY", time: "09:00", timeZone: ZONE, startAt: "2026-01-01T00:00:00.000Z" },
    },
    steps: [
      {
        actions: [
          { type: "LAST_STATEMENT_BALANCE", sourceAccountId: A, destinationAccountId: DEBT, group: 0 },
        ],
      },
    ],
  });
  const card = (ofStatementInCents: number) =>
    account(30_000, {
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
      lastStatementBalanceInCents: 5_000,
      paid: {
        ofStatementInCents,
        ofMinimumInCents: 0,
        lastStatementDate: "2026-11-18",
        nextPaymentDueDate: null,
      },
    });
  const movedIn = (month: string, paid: number) =>
    simulateAhead(pays, HISTORY, {
      accounts: { [A]: account(1_000_000), [DEBT]: card(paid) },
      limitsUsedInCents: {},
    })
      .runs.filter(({ date }) => date.startsWith(month))
      .flatMap(({ moves }) => moves)
      .reduce((sum, { amountInCents }) => sum + amountInCents, 0);
  expect([movedIn("2026-11", 0), movedIn("2026-11", 5_000)]).toEqual([5_000, 0]);
});
