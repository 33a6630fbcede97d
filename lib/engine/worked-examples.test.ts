import { describe, expect, it } from "vitest";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { debt, factsOf, fromTo, fromToDebts, planOf, pod, tableOf } from "@/lib/testing/rules/rule-examples";

interface Example {
  says: string;
  accounts: Record<string, AccountFacts>;
  actions: RuleAction[];
  limits?: RuleDefinition["limits"];
  facts?: Partial<RuleFacts>;
  /** Calculated by hand; the arithmetic is beside each amount. */
  moves: [string, number, string][];
  actionsNotReached?: number;
}

function examples(all: Example[]): void {
  it.each(all)("$says", ({ accounts, actions, limits = [], facts, moves, actionsNotReached = 0 }) => {
    const plan = planOf({ steps: [{ conditions: null, actions }], limits }, factsOf(accounts, facts));
    expect(tableOf(plan)).toEqual(moves);
    expect(plan.actionsNotReached).toBe(actionsNotReached);
  });
}

const toRent = fromTo("Operating", "Rent");
const toTaxes = fromTo("Operating", "Taxes");
const toProfit = fromTo("Operating", "Profit");
const toVisa = fromTo("Operating", "Visa");

describe("FIXED", () => {
  examples([
    {
      says: "moves its amount, down to the last cent available",
      accounts: { Operating: pod(50_000), Rent: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 50_000 }],
      moves: [["Operating → Rent", 50_000, "MOVE"]],
    },
    {
      says: "fails by one cent, and later actions are not reached",
      accounts: { Operating: pod(49_999), Rent: pod(0), Taxes: pod(0) },
      actions: [
        { type: "FIXED", ...toRent, amountInCents: 50_000 },
        { type: "FIXED", ...toTaxes, amountInCents: 100 },
        { type: "REMAINDER", ...toTaxes, keepInCents: 0 },
      ],
      moves: [["Operating → Rent", 50_000, "INSUFFICIENT_FUNDS"]],
      actionsNotReached: 2,
    },
    {
      says: "up to: moves what is available",
      accounts: { Operating: pod(49_999), Rent: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 50_000, upTo: true }],
      moves: [["Operating → Rent", 49_999, "MOVE"]],
    },
    {
      says: "up to: moves exactly a dollar that is left",
      accounts: { Operating: pod(100), Rent: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 50_000, upTo: true }],
      moves: [["Operating → Rent", 100, "MOVE"]],
    },
    {
      says: "sends exactly what may still leave, and of several transfers no cent more together",
      accounts: { Operating: pod(50_000), Broker: pod(0, { type: "EXTERNAL_ACCOUNT" }) },
      facts: { outgoingRoomInCents: 30_000 },
      actions: [
        { type: "FIXED", ...fromTo("Operating", "Broker"), amountInCents: 10_000 },
        { type: "FIXED", ...fromTo("Operating", "Broker"), amountInCents: 20_000 },
        { type: "FIXED", ...fromTo("Operating", "Broker"), amountInCents: 100 },
      ],
      moves: [
        ["Operating → Broker", 10_000, "MOVE"],
        ["Operating → Broker", 20_000, "MOVE"],
        ["Operating → Broker", 100, "ABOVE_OUTGOING_CAP"],
      ],
    },
    {
      says: "names the floor where all of the money would do, and the money where a cent of it lacks",
      accounts: { Operating: pod(50_000, { floorInCents: 20_000 }), Rent: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 50_000 }],
      moves: [["Operating → Rent", 50_000, "BELOW_FLOOR"]],
    },
    {
      says: "up to: skips less than a dollar, and the run continues",
      accounts: { Operating: pod(99), Rent: pod(0), Profit: pod(300), Taxes: pod(0) },
      actions: [
        { type: "FIXED", ...toRent, amountInCents: 50_000, upTo: true },
        { type: "FIXED", ...fromTo("Profit", "Taxes"), amountInCents: 300 },
      ],
      moves: [
        ["Operating → Rent", 99, "SKIPPED"],
        ["Profit → Taxes", 300, "MOVE"],
      ],
    },
    {
      says: "does not go below the floor: 500.00 − 200.00 = 300.00 may go",
      accounts: { Operating: pod(50_000, { floorInCents: 20_000 }), Rent: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 30_001 }],
      moves: [["Operating → Rent", 30_001, "BELOW_FLOOR"]],
    },
    {
      says: "goes below the floor when a person approves",
      accounts: { Operating: pod(50_000, { floorInCents: 20_000 }), Rent: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 30_001 }],
      facts: { isApprovedByPerson: true },
      moves: [["Operating → Rent", 30_001, "MOVE"]],
    },
    {
      says: "up to: stops at the floor",
      accounts: { Operating: pod(50_000, { floorInCents: 20_000 }), Rent: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 50_000, upTo: true }],
      moves: [["Operating → Rent", 30_000, "MOVE"]],
    },
    {
      says: "takes nothing from an overdrawn account",
      accounts: { Operating: pod(-2_500), Rent: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 100 }],
      moves: [["Operating → Rent", 100, "INSUFFICIENT_FUNDS"]],
    },
    {
      says: "fails at a closed account",
      accounts: { Operating: pod(50_000), Rent: pod(0, { isClosed: true }) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 100 }],
      moves: [["Operating → Rent", 100, "ACCOUNT_CLOSED"]],
    },
    {
      says: "takes what is available, not what is held: 500.00 less 450.00 held",
      accounts: { Operating: pod(50_000, { availableInCents: 5_000 }), Rent: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 50_000, upTo: true }],
      moves: [["Operating → Rent", 5_000, "MOVE"]],
    },
    {
      says: "cannot send on money from the same run, which is not booked yet",
      accounts: { Operating: pod(50_000), Rent: pod(0), Landlord: pod(0) },
      actions: [
        { type: "FIXED", ...toRent, amountInCents: 50_000 },
        { type: "FIXED", ...fromTo("Rent", "Landlord"), amountInCents: 50_000 },
      ],
      moves: [
        ["Operating → Rent", 50_000, "MOVE"],
        ["Rent → Landlord", 50_000, "INSUFFICIENT_FUNDS"],
      ],
    },
  ]);
});

describe("PERCENTAGE", () => {
  const ofBalance = { type: "PERCENTAGE", of: "SOURCE_BALANCE" } as const;
  const ofIncoming = { type: "PERCENTAGE", of: "INCOMING_AMOUNT" } as const;
  examples([
    {
      says: "of 1,000.01 in thirds leave nothing, and the two cents over go to the largest parts",
      accounts: { Operating: pod(100_001), Rent: pod(0), Taxes: pod(0), Profit: pod(0) },
      // 100,001 × 33.3333 % = 33,333.633333 twice, × 33.3334 % = 33,333.733334: floors 33,333 thrice = 99,999, two cents left.
      actions: [
        { ...ofBalance, ...toRent, percentage: 33.3333 },
        { ...ofBalance, ...toTaxes, percentage: 33.3333 },
        { ...ofBalance, ...toProfit, percentage: 33.3334 },
      ],
      // The first cent to the last (.733334), the second to the first of the two equals (.633333).
      moves: [
        ["Operating → Rent", 33_334, "MOVE"],
        ["Operating → Taxes", 33_333, "MOVE"],
        ["Operating → Profit", 33_334, "MOVE"],
      ],
    },
    {
      says: "of equals gives the odd cent to the first: 50 % of 201 is 100.5 twice",
      accounts: { Operating: pod(201), Taxes: pod(0), Profit: pod(0) },
      actions: [
        { ...ofBalance, ...toTaxes, percentage: 50 },
        { ...ofBalance, ...toProfit, percentage: 50 },
      ],
      moves: [
        ["Operating → Taxes", 101, "MOVE"],
        ["Operating → Profit", 100, "MOVE"],
      ],
    },
    {
      says: "of one group are of one snapshot: 10 % and 20 % of 1,000.00, not of the 900.00 left",
      accounts: { Operating: pod(100_000), Taxes: pod(0), Profit: pod(0) },
      actions: [
        { ...ofBalance, ...toTaxes, percentage: 10 },
        { ...ofBalance, ...toProfit, percentage: 20 },
      ],
      moves: [
        ["Operating → Taxes", 10_000, "MOVE"],
        ["Operating → Profit", 20_000, "MOVE"],
      ],
    },
    {
      says: "of the next group are of what is left: 20 % of 900.00",
      accounts: { Operating: pod(100_000), Taxes: pod(0), Profit: pod(0) },
      actions: [
        { ...ofBalance, ...toProfit, percentage: 20, group: 1 },
        { ...ofBalance, ...toTaxes, percentage: 10, group: 0 },
      ],
      // Group 0 first, although it is listed second: 10 % of 100,000; then 20 % of 90,000.
      moves: [
        ["Operating → Taxes", 10_000, "MOVE"],
        ["Operating → Profit", 18_000, "MOVE"],
      ],
    },
    {
      says: "of the incoming amount stay those of the incoming amount in every group: 10 % and 25 % of 800.00",
      accounts: { Operating: pod(100_000), Taxes: pod(0), Profit: pod(0) },
      actions: [
        { ...ofIncoming, ...toTaxes, percentage: 10, group: 0 },
        { ...ofIncoming, ...toProfit, percentage: 25, group: 1 },
      ],
      facts: { incomingAmountInCents: 80_000 },
      moves: [
        ["Operating → Taxes", 8_000, "MOVE"],
        ["Operating → Profit", 20_000, "MOVE"],
      ],
    },
    {
      says: "of more than is there any more fail: 60 % of 1,000.00 came, 500.00 are left",
      accounts: { Operating: pod(50_000), Taxes: pod(0) },
      actions: [{ ...ofIncoming, ...toTaxes, percentage: 60 }],
      facts: { incomingAmountInCents: 100_000 },
      moves: [["Operating → Taxes", 60_000, "INSUFFICIENT_FUNDS"]],
    },
    {
      says: "of a split that is too small in one share skips that share alone: 0.5 % of 100.00 is 0.50",
      accounts: { Operating: pod(10_000), Taxes: pod(0), Profit: pod(0) },
      actions: [
        { ...ofBalance, ...toTaxes, percentage: 0.5 },
        { ...ofBalance, ...toProfit, percentage: 99.5 },
      ],
      // 50 is below a dollar; 9,950 is not.
      moves: [
        ["Operating → Taxes", 50, "SKIPPED"],
        ["Operating → Profit", 9_950, "MOVE"],
      ],
    },
    {
      says: "of different sources are shared out each for itself",
      accounts: { Operating: pod(10_001), Savings: pod(301), Taxes: pod(0), Profit: pod(0) },
      actions: [
        { ...ofBalance, ...toTaxes, percentage: 50 },
        { ...ofBalance, ...fromTo("Savings", "Taxes"), percentage: 50 },
        { ...ofBalance, ...fromTo("Savings", "Profit"), percentage: 50 },
      ],
      // 5,000.5 alone is rounded down; 150.5 twice are 301 together.
      moves: [
        ["Operating → Taxes", 5_000, "MOVE"],
        ["Savings → Taxes", 151, "MOVE"],
        ["Savings → Profit", 150, "MOVE"],
      ],
    },
    {
      says: "of the balance and of what came in are two splits, each of its own base: 50 % of 900.00, 50 % of 300.01",
      accounts: { Operating: pod(90_000), Taxes: pod(0), Profit: pod(0) },
      actions: [
        { ...ofBalance, ...toTaxes, percentage: 50 },
        { ...ofIncoming, ...toProfit, percentage: 50 },
      ],
      facts: { incomingAmountInCents: 30_001 },
      // 15,000.5 alone is rounded down.
      moves: [
        ["Operating → Taxes", 45_000, "MOVE"],
        ["Operating → Profit", 15_000, "MOVE"],
      ],
    },
    {
      says: "of an incoming amount below zero are nothing: the account was overdrawn, and nothing came in",
      accounts: { Operating: pod(90_000), Taxes: pod(0) },
      actions: [{ ...ofIncoming, ...toTaxes, percentage: 50 }],
      facts: { incomingAmountInCents: -30_000 },
      moves: [["Operating → Taxes", 0, "SKIPPED"]],
    },
    {
      says: "of an overdrawn account are nothing",
      accounts: { Operating: pod(-10_000), Taxes: pod(0) },
      actions: [{ ...ofBalance, ...toTaxes, percentage: 50 }],
      moves: [["Operating → Taxes", 0, "SKIPPED"]],
    },
    {
      says: "in one group with an amount before them are still of the snapshot, and the last one finds too little",
      accounts: { Operating: pod(100_000), Rent: pod(0), Taxes: pod(0), Profit: pod(0) },
      actions: [
        { type: "FIXED", ...toRent, amountInCents: 10_000 },
        { ...ofBalance, ...toTaxes, percentage: 50 },
        { ...ofBalance, ...toProfit, percentage: 50, upTo: true },
      ],
      // 100,000 − 10,000 − 50,000 leaves 40,000 of the 50,000 that the last share asks for.
      moves: [
        ["Operating → Rent", 10_000, "MOVE"],
        ["Operating → Taxes", 50_000, "MOVE"],
        ["Operating → Profit", 40_000, "MOVE"],
      ],
    },
  ]);
});

describe("TOP_UP", () => {
  const rentTo500 = { type: "TOP_UP", ...toRent, amountInCents: 50_000 } as const;
  examples([
    {
      says: "moves what is missing: 500.00 − 120.00",
      accounts: { Operating: pod(100_000), Rent: pod(12_000) },
      actions: [rentTo500],
      moves: [["Operating → Rent", 38_000, "MOVE"]],
    },
    {
      says: "moves nothing where it is full, or fuller",
      accounts: { Operating: pod(100_000), Rent: pod(50_001) },
      actions: [rentTo500],
      moves: [["Operating → Rent", 0, "SKIPPED"]],
    },
    {
      says: "is always up to: 300.00 of the 380.00 that are missing",
      accounts: { Operating: pod(30_000), Rent: pod(12_000) },
      actions: [rentTo500],
      moves: [["Operating → Rent", 30_000, "MOVE"]],
    },
    {
      says: "counts what is on its way: 500.00 − 120.00 − 300.00",
      accounts: { Operating: pod(100_000), Rent: pod(12_000, { onItsWayInCents: 30_000 }) },
      actions: [rentTo500],
      moves: [["Operating → Rent", 8_000, "MOVE"]],
    },
    {
      says: "counts what the same run brought and took: 120.00 + 50.00 − 20.00 = 150.00 are there, 350.00 missing",
      accounts: { Operating: pod(100_000), Rent: pod(12_000), Taxes: pod(0) },
      actions: [
        { type: "FIXED", ...toRent, amountInCents: 5_000 },
        { type: "FIXED", ...fromTo("Rent", "Taxes"), amountInCents: 2_000 },
        rentTo500,
      ],
      moves: [
        ["Operating → Rent", 5_000, "MOVE"],
        ["Rent → Taxes", 2_000, "MOVE"],
        ["Operating → Rent", 35_000, "MOVE"],
      ],
    },
    {
      says: "brings an overdrawn account up too: 500.00 − (−80.00)",
      accounts: { Operating: pod(100_000), Rent: pod(-8_000) },
      actions: [rentTo500],
      moves: [["Operating → Rent", 58_000, "MOVE"]],
    },
    {
      says: "skips 0.99 that are missing",
      accounts: { Operating: pod(100_000), Rent: pod(49_901) },
      actions: [rentTo500],
      moves: [["Operating → Rent", 99, "SKIPPED"]],
    },
    {
      says: "fills no debt: what is owed there is not what it holds",
      accounts: { Operating: pod(100_000), Visa: debt(20_000) },
      actions: [{ type: "TOP_UP", ...toVisa, amountInCents: 50_000 }],
      moves: [["Operating → Visa", 0, "SKIPPED"]],
    },
  ]);
});

describe("ROUND_DOWN", () => {
  const toHundreds = { type: "ROUND_DOWN", ...toProfit, amountInCents: 10_000 } as const;
  examples([
    {
      says: "moves what is above a multiple: 1,234.56 = 12 × 100.00 + 34.56",
      accounts: { Operating: pod(123_456), Profit: pod(0) },
      actions: [toHundreds],
      moves: [["Operating → Profit", 3_456, "MOVE"]],
    },
    {
      says: "moves nothing of a multiple",
      accounts: { Operating: pod(120_000), Profit: pod(0) },
      actions: [toHundreds],
      moves: [["Operating → Profit", 0, "SKIPPED"]],
    },
    {
      says: "moves all of what is below the first multiple: 99.99 = 0 × 100.00 + 99.99",
      accounts: { Operating: pod(9_999), Profit: pod(0) },
      actions: [toHundreds],
      moves: [["Operating → Profit", 9_999, "MOVE"]],
    },
    {
      says: "skips 0.56 above a whole dollar",
      accounts: { Operating: pod(123_456), Profit: pod(0) },
      actions: [{ ...toHundreds, amountInCents: 100 }],
      moves: [["Operating → Profit", 56, "SKIPPED"]],
    },
    {
      says: "looks at what the actions before it left: 1,234.56 − 200.00 = 1,034.56",
      accounts: { Operating: pod(123_456), Rent: pod(0), Profit: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 20_000 }, toHundreds],
      moves: [
        ["Operating → Rent", 20_000, "MOVE"],
        ["Operating → Profit", 3_456, "MOVE"],
      ],
    },
    {
      says: "is held back by the floor: 234.56 − 210.00 = 24.56 of the 34.56",
      accounts: { Operating: pod(23_456, { floorInCents: 21_000 }), Profit: pod(0) },
      actions: [toHundreds],
      moves: [["Operating → Profit", 2_456, "MOVE"]],
    },
  ]);
});

describe("REMAINDER", () => {
  const rest = { type: "REMAINDER", ...toProfit, keepInCents: 0 } as const;
  examples([
    {
      says: "moves all that is left: 1,000.00 − 250.00",
      accounts: { Operating: pod(100_000), Rent: pod(0), Profit: pod(0) },
      actions: [{ type: "FIXED", ...toRent, amountInCents: 25_000 }, rest],
      moves: [
        ["Operating → Rent", 25_000, "MOVE"],
        ["Operating → Profit", 75_000, "MOVE"],
      ],
    },
    {
      says: "keeps the requested amount: 1,000.00 − 800.00",
      accounts: { Operating: pod(100_000), Profit: pod(0) },
      actions: [{ ...rest, keepInCents: 80_000 }],
      moves: [["Operating → Profit", 20_000, "MOVE"]],
    },
    {
      says: "moves nothing where less is there than it keeps",
      accounts: { Operating: pod(79_999), Profit: pod(0) },
      actions: [{ ...rest, keepInCents: 80_000 }],
      moves: [["Operating → Profit", 0, "SKIPPED"]],
    },
    {
      says: "keeps the floor where that is higher: 1,000.00 − 900.00",
      accounts: { Operating: pod(100_000, { floorInCents: 90_000 }), Profit: pod(0) },
      actions: [{ ...rest, keepInCents: 80_000 }],
      moves: [["Operating → Profit", 10_000, "MOVE"]],
    },
    {
      says: "keeps its own where the floor is lower: 1,000.00 − 800.00",
      accounts: { Operating: pod(100_000, { floorInCents: 50_000 }), Profit: pod(0) },
      actions: [{ ...rest, keepInCents: 80_000 }],
      moves: [["Operating → Profit", 20_000, "MOVE"]],
    },
    {
      says: "skips a rest of 0.99",
      accounts: { Operating: pod(80_099), Profit: pod(0) },
      actions: [{ ...rest, keepInCents: 80_000 }],
      moves: [["Operating → Profit", 99, "SKIPPED"]],
    },
  ]);
});

/** What was paid of a debt, of a statement of 1 March that is due on the 25th. */
const paid = (fields: Partial<NonNullable<AccountFacts["paid"]>>) => ({
  ofStatementInCents: 0,
  ofMinimumInCents: 0,
  lastStatementDate: "2027-03-01",
  nextPaymentDueDate: "2027-03-25",
  ...fields,
});

describe("NEXT_PAYMENT_MINIMUM", () => {
  const minimum = { type: "NEXT_PAYMENT_MINIMUM", ...toVisa } as const;
  examples([
    {
      says: "that was paid for this due date is not paid again, though the loan still owes",
      accounts: {
        Operating: pod(100_000),
        Visa: debt(85_000, { nextPaymentMinimumInCents: 3_500, paid: paid({ ofMinimumInCents: 3_500 }) }),
      },
      actions: [minimum],
      moves: [["Operating → Visa", 0, "SKIPPED"]],
    },
    {
      says: "pays the minimum",
      accounts: { Operating: pod(100_000), Visa: debt(85_000, { nextPaymentMinimumInCents: 3_500 }) },
      actions: [minimum],
      moves: [["Operating → Visa", 3_500, "MOVE"]],
    },
    {
      says: "pays no more than is owed: 20.00 of a minimum of 35.00",
      accounts: { Operating: pod(100_000), Visa: debt(2_000, { nextPaymentMinimumInCents: 3_500 }) },
      actions: [minimum],
      moves: [["Operating → Visa", 2_000, "MOVE"]],
    },
    {
      says: "pays nothing where nothing is due",
      accounts: { Operating: pod(100_000), Visa: debt(85_000, { nextPaymentMinimumInCents: 0 }) },
      actions: [minimum],
      moves: [["Operating → Visa", 0, "SKIPPED"]],
    },
    {
      says: "is not paid twice: 35.00 less 20.00 that are on their way",
      accounts: {
        Operating: pod(100_000),
        Visa: debt(85_000, { nextPaymentMinimumInCents: 3_500, onItsWayInCents: 2_000 }),
      },
      actions: [minimum],
      moves: [["Operating → Visa", 1_500, "MOVE"]],
    },
    {
      says: "fails where the money is not there, and takes what is there up to",
      accounts: { Operating: pod(3_000), Visa: debt(85_000, { nextPaymentMinimumInCents: 3_500 }) },
      actions: [{ ...minimum, upTo: true }, minimum],
      // 30.00 first; then 35.00 − 30.00 = 5.00 are still due, and nothing is left.
      moves: [
        ["Operating → Visa", 3_000, "MOVE"],
        ["Operating → Visa", 500, "INSUFFICIENT_FUNDS"],
      ],
    },
    {
      says: "pays nothing to an account that is not a debt",
      accounts: { Operating: pod(100_000), Visa: pod(85_000) },
      actions: [minimum],
      moves: [["Operating → Visa", 0, "SKIPPED"]],
    },
  ]);
});

describe("LAST_STATEMENT_BALANCE", () => {
  const statement = { type: "LAST_STATEMENT_BALANCE", ...toVisa } as const;
  const visa = (fields: Partial<AccountFacts> = {}) =>
    debt(85_000, { nextPaymentMinimumInCents: 3_500, lastStatementBalanceInCents: 60_000, ...fields });
  examples([
    {
      says: "pays the statement, not what was bought since",
      accounts: { Operating: pod(100_000), Visa: visa() },
      actions: [statement],
      moves: [["Operating → Visa", 60_000, "MOVE"]],
    },
    {
      says: "pays no more than is owed still: 450.00 of a statement of 600.00",
      accounts: { Operating: pod(100_000), Visa: visa({ balanceInCents: 45_000 }) },
      actions: [statement],
      moves: [["Operating → Visa", 45_000, "MOVE"]],
    },
    {
      says: "after the minimums pays what they left of it: 600.00 − 35.00",
      accounts: { Operating: pod(100_000), Visa: visa() },
      actions: [
        { type: "NEXT_PAYMENT_MINIMUM", ...toVisa, group: 0 },
        { ...statement, group: 1 },
      ],
      moves: [
        ["Operating → Visa", 3_500, "MOVE"],
        ["Operating → Visa", 56_500, "MOVE"],
      ],
    },
    {
      says: "pays what is left of it once a part is paid, whatever was bought since: 600.00 − 450.00",
      accounts: {
        Operating: pod(100_000),
        Visa: visa({ balanceInCents: 95_000, paid: paid({ ofStatementInCents: 45_000 }) }),
      },
      actions: [statement],
      moves: [["Operating → Visa", 15_000, "MOVE"]],
    },
    {
      says: "that is paid is paid once, though the card owes again",
      accounts: {
        Operating: pod(100_000),
        Visa: visa({ balanceInCents: 95_000, paid: paid({ ofStatementInCents: 60_000 }) }),
      },
      actions: [statement],
      moves: [["Operating → Visa", 0, "SKIPPED"]],
    },
    {
      says: "of a card that was paid too much is nothing",
      accounts: { Operating: pod(100_000), Visa: visa({ lastStatementBalanceInCents: -1_250 }) },
      actions: [statement],
      moves: [["Operating → Visa", 0, "SKIPPED"]],
    },
  ]);
});

describe("TOTAL_AMOUNT_DUE", () => {
  const total = { type: "TOTAL_AMOUNT_DUE", ...toVisa } as const;
  examples([
    {
      says: "pays all that is owed",
      accounts: { Operating: pod(100_000), Visa: debt(85_012) },
      actions: [total],
      moves: [["Operating → Visa", 85_012, "MOVE"]],
    },
    {
      says: "less what is on its way: 850.12 − 50.12",
      accounts: { Operating: pod(100_000), Visa: debt(85_012, { onItsWayInCents: 5_012 }) },
      actions: [total],
      moves: [["Operating → Visa", 80_000, "MOVE"]],
    },
    {
      says: "of a card that was paid too much is nothing",
      accounts: { Operating: pod(100_000), Visa: debt(-1_250) },
      actions: [total],
      moves: [["Operating → Visa", 0, "SKIPPED"]],
    },
    {
      says: "after another payment of the same run: 850.12 − 200.00",
      accounts: { Operating: pod(100_000), Visa: debt(85_012) },
      actions: [{ type: "FIXED", ...toVisa, amountInCents: 20_000 }, total],
      moves: [
        ["Operating → Visa", 20_000, "MOVE"],
        ["Operating → Visa", 65_012, "MOVE"],
      ],
    },
    {
      says: "up to: as much as is there",
      accounts: { Operating: pod(10_000), Visa: debt(85_012) },
      actions: [{ ...total, upTo: true }],
      moves: [["Operating → Visa", 10_000, "MOVE"]],
    },
  ]);
});

describe("PERCENTAGE_OF_LIABILITY", () => {
  const part = { type: "PERCENTAGE_OF_LIABILITY", ...toVisa } as const;
  examples([
    {
      says: "10 % of 850.15 is 85.015, rounded down",
      accounts: { Operating: pod(100_000), Visa: debt(85_015) },
      actions: [{ ...part, percentage: 10 }],
      moves: [["Operating → Visa", 8_501, "MOVE"]],
    },
    {
      says: "100 % is all that is owed",
      accounts: { Operating: pod(100_000), Visa: debt(85_015) },
      actions: [{ ...part, percentage: 100 }],
      moves: [["Operating → Visa", 85_015, "MOVE"]],
    },
    {
      says: "twice is of what the first left: 50 % of 800.00, then 50 % of 400.00",
      accounts: { Operating: pod(100_000), Visa: debt(80_000) },
      actions: [
        { ...part, percentage: 50 },
        { ...part, percentage: 50 },
      ],
      moves: [
        ["Operating → Visa", 40_000, "MOVE"],
        ["Operating → Visa", 20_000, "MOVE"],
      ],
    },
    {
      says: "1 % of 99.99 is 0.99, which is skipped",
      accounts: { Operating: pod(100_000), Visa: debt(9_999) },
      actions: [{ ...part, percentage: 1 }],
      moves: [["Operating → Visa", 99, "SKIPPED"]],
    },
  ]);
});

describe("SNOWBALL", () => {
  const debts = fromToDebts("Operating", "Visa", "Amex", "Loan");
  const accounts = { Operating: pod(200_000), Visa: debt(85_000), Amex: debt(20_000), Loan: debt(500_000) };
  examples([
    {
      says: "pays the smallest first: 200.00, then 800.00 of 850.00, nothing of the largest",
      accounts,
      actions: [{ type: "SNOWBALL", ...debts, amountInCents: 100_000 }],
      moves: [
        ["Operating → Amex", 20_000, "MOVE"],
        ["Operating → Visa", 80_000, "MOVE"],
        ["Operating → Loan", 0, "SKIPPED"],
      ],
    },
    {
      says: "with a budget for all moves no more than is owed: 200.00 + 850.00 + 5,000.00 of 10,000.00",
      accounts: { ...accounts, Operating: pod(1_000_000) },
      actions: [{ type: "SNOWBALL", ...debts, amountInCents: 1_000_000 }],
      moves: [
        ["Operating → Amex", 20_000, "MOVE"],
        ["Operating → Visa", 85_000, "MOVE"],
        ["Operating → Loan", 500_000, "MOVE"],
      ],
    },
    {
      says: "does not let 0.50 that are owed hold up the rest, nor use up 0.50 of the budget",
      accounts: { ...accounts, Amex: debt(50) },
      actions: [{ type: "SNOWBALL", ...debts, amountInCents: 100_000 }],
      // 50 is below a dollar; then 85,000, then 100,000 − 85,000.
      moves: [
        ["Operating → Amex", 50, "SKIPPED"],
        ["Operating → Visa", 85_000, "MOVE"],
        ["Operating → Loan", 15_000, "MOVE"],
      ],
    },
    {
      says: "does not pass on to the larger what a limit leaves of the smaller, be it 1.00",
      accounts: { ...accounts, Amex: debt(15_100), Visa: debt(85_000) },
      actions: [{ type: "SNOWBALL", ...debts, amountInCents: 100_000, limitId: "each" }],
      limits: [{ id: "each", period: "TRANSFER", amountInCents: 15_000 }],
      moves: [
        ["Operating → Amex", 15_000, "MOVE"],
        ["Operating → Visa", 0, "SKIPPED"],
        ["Operating → Loan", 0, "SKIPPED"],
      ],
    },
    {
      says: "between equals pays the one named first",
      accounts: { ...accounts, Visa: debt(20_000) },
      actions: [{ type: "SNOWBALL", ...debts, amountInCents: 30_000 }],
      moves: [
        ["Operating → Visa", 20_000, "MOVE"],
        ["Operating → Amex", 10_000, "MOVE"],
        ["Operating → Loan", 0, "SKIPPED"],
      ],
    },
    {
      says: "names a debt twice and pays it once",
      accounts,
      actions: [
        {
          type: "SNOWBALL",
          ...fromToDebts("Operating", "Amex", "Visa", "Amex"),
          amountInCents: 50_000,
        },
      ],
      // 20,000, then 50,000 − 20,000.
      moves: [
        ["Operating → Amex", 20_000, "MOVE"],
        ["Operating → Visa", 30_000, "MOVE"],
      ],
    },
    {
      says: "under a limit of each transfer does not pass on to the larger what the smaller may not have",
      accounts,
      actions: [{ type: "SNOWBALL", ...debts, amountInCents: 100_000, limitId: "each" }],
      limits: [{ id: "each", period: "TRANSFER", amountInCents: 15_000 }],
      moves: [
        ["Operating → Amex", 15_000, "MOVE"],
        ["Operating → Visa", 0, "SKIPPED"],
        ["Operating → Loan", 0, "SKIPPED"],
      ],
    },
    {
      says: "up to: pays as far as the money goes: 200.00 + 100.00 of 300.00",
      accounts: { ...accounts, Operating: pod(30_000) },
      actions: [{ type: "SNOWBALL", ...debts, amountInCents: 100_000, upTo: true }],
      moves: [
        ["Operating → Amex", 20_000, "MOVE"],
        ["Operating → Visa", 10_000, "MOVE"],
        ["Operating → Loan", 0, "SKIPPED"],
      ],
    },
    {
      says: "fails at the debt for which the money is not there",
      accounts: { ...accounts, Operating: pod(30_000) },
      actions: [{ type: "SNOWBALL", ...debts, amountInCents: 100_000 }],
      moves: [
        ["Operating → Amex", 20_000, "MOVE"],
        ["Operating → Visa", 80_000, "INSUFFICIENT_FUNDS"],
      ],
    },
  ]);
});

describe("AVALANCHE", () => {
  const debts = fromToDebts("Operating", "Visa", "Amex", "Loan");
  const accounts = {
    Operating: pod(200_000),
    Visa: debt(85_000, { interestRatePercentage: 24.99 }),
    Amex: debt(20_000, { interestRatePercentage: 19.99 }),
    Loan: debt(500_000, { interestRatePercentage: 4.9 }),
  };
  examples([
    {
      says: "pays the highest rate first: 850.00, then 150.00 of 200.00",
      accounts,
      actions: [{ type: "AVALANCHE", ...debts, amountInCents: 100_000 }],
      moves: [
        ["Operating → Visa", 85_000, "MOVE"],
        ["Operating → Amex", 15_000, "MOVE"],
        ["Operating → Loan", 0, "SKIPPED"],
      ],
    },
    {
      says: "between equal rates pays the smaller debt first",
      accounts: { ...accounts, Amex: debt(20_000, { interestRatePercentage: 24.99 }) },
      actions: [{ type: "AVALANCHE", ...debts, amountInCents: 100_000 }],
      // 20,000, then 80,000 of 85,000.
      moves: [
        ["Operating → Amex", 20_000, "MOVE"],
        ["Operating → Visa", 80_000, "MOVE"],
        ["Operating → Loan", 0, "SKIPPED"],
      ],
    },
    {
      says: "pays a debt whose rate is not known last, after one at 0 %",
      accounts: {
        ...accounts,
        Visa: debt(85_000),
        Loan: debt(50_000, { interestRatePercentage: 0 }),
      },
      actions: [{ type: "AVALANCHE", ...debts, amountInCents: 100_000 }],
      // 20,000 + 50,000, then 30,000 of 85,000.
      moves: [
        ["Operating → Amex", 20_000, "MOVE"],
        ["Operating → Loan", 50_000, "MOVE"],
        ["Operating → Visa", 30_000, "MOVE"],
      ],
    },
    {
      says: "counts what is on its way: 850.00 − 800.00, then the rest of 100.00",
      accounts: {
        ...accounts,
        Visa: debt(85_000, { interestRatePercentage: 24.99, onItsWayInCents: 80_000 }),
      },
      actions: [{ type: "AVALANCHE", ...debts, amountInCents: 10_000 }],
      moves: [
        ["Operating → Visa", 5_000, "MOVE"],
        ["Operating → Amex", 5_000, "MOVE"],
        ["Operating → Loan", 0, "SKIPPED"],
      ],
    },
  ]);
});

describe("limits", () => {
  const rentALimit = { type: "FIXED", ...toRent, amountInCents: 50_000, limitId: "rent" } as const;
  const accounts = { Operating: pod(200_000), Rent: pod(0), Taxes: pod(0) };
  examples([
    {
      says: "leave 1,000.00 − 700.00 used = 300.00, and fail nothing",
      accounts,
      actions: [rentALimit],
      limits: [{ id: "rent", period: "MONTH", amountInCents: 100_000 }],
      facts: { limitsUsedInCents: { rent: 70_000 } },
      moves: [["Operating → Rent", 30_000, "MOVE"]],
    },
    {
      says: "that are shared count both actions of one run: 500.00, then 100.00 of 600.00",
      accounts,
      actions: [rentALimit, { ...rentALimit, ...toTaxes, limitId: "rent" }],
      limits: [{ id: "rent", period: "DAY", amountInCents: 60_000 }],
      facts: { limitsUsedInCents: { rent: 0 } },
      moves: [
        ["Operating → Rent", 50_000, "MOVE"],
        ["Operating → Taxes", 10_000, "MOVE"],
      ],
    },
    {
      says: "of each transfer count each for itself",
      accounts,
      actions: [rentALimit, rentALimit],
      limits: [{ id: "rent", period: "TRANSFER", amountInCents: 40_000 }],
      moves: [
        ["Operating → Rent", 40_000, "MOVE"],
        ["Operating → Rent", 40_000, "MOVE"],
      ],
    },
    {
      says: "that are used up, or more than that after they were lowered, skip",
      accounts,
      actions: [rentALimit],
      limits: [{ id: "rent", period: "YEAR", amountInCents: 10_000 }],
      facts: { limitsUsedInCents: { rent: 12_000 } },
      moves: [["Operating → Rent", 0, "SKIPPED"]],
    },
    {
      says: "that leave less than a dollar skip: 1,000.00 − 999.50",
      accounts,
      actions: [rentALimit],
      limits: [{ id: "rent", period: "WEEK", amountInCents: 100_000 }],
      facts: { limitsUsedInCents: { rent: 99_950 } },
      moves: [["Operating → Rent", 50, "SKIPPED"]],
    },
    {
      says: "come before the money: 300.00 of 500.00 are allowed, 300.00 are there",
      accounts: { ...accounts, Operating: pod(30_000) },
      actions: [rentALimit],
      limits: [{ id: "rent", period: "TRANSFER", amountInCents: 30_000 }],
      moves: [["Operating → Rent", 30_000, "MOVE"]],
    },
    {
      says: "may be called by a name that every object has",
      accounts,
      actions: [{ ...rentALimit, limitId: "constructor" }],
      limits: [{ id: "constructor", period: "MONTH", amountInCents: 60_000 }],
      facts: { limitsUsedInCents: { constructor: 35_000 } },
      moves: [["Operating → Rent", 25_000, "MOVE"]],
    },
  ]);
});

describe("groups", () => {
  examples([
    {
      says: "make a waterfall: rent first, a tenth of what is left for taxes, half of the rest, the rest",
      accounts: {
        Operating: pod(512_345),
        Rent: pod(150_000),
        Taxes: pod(0),
        Profit: pod(0),
        Savings: pod(0),
      },
      actions: [
        { type: "REMAINDER", ...fromTo("Operating", "Savings"), keepInCents: 50_000, group: 3 },
        { type: "PERCENTAGE", of: "SOURCE_BALANCE", ...toProfit, percentage: 50, group: 2 },
        { type: "PERCENTAGE", of: "SOURCE_BALANCE", ...toTaxes, percentage: 10, group: 1 },
        { type: "TOP_UP", ...toRent, amountInCents: 200_000, group: 0 },
      ],
      // 200,000 − 150,000 = 50,000; 10 % of 462,345 = 46,234.5; 50 % of 416,111 = 208,055.5; 208,056 − 50,000.
      moves: [
        ["Operating → Rent", 50_000, "MOVE"],
        ["Operating → Taxes", 46_234, "MOVE"],
        ["Operating → Profit", 208_055, "MOVE"],
        ["Operating → Savings", 158_056, "MOVE"],
      ],
    },
    {
      says: "behind a failed transfer are not reached",
      accounts: { Operating: pod(10_000), Rent: pod(0), Taxes: pod(0), Profit: pod(0) },
      actions: [
        { type: "FIXED", ...toTaxes, amountInCents: 10_001, group: 1 },
        { type: "FIXED", ...toRent, amountInCents: 5_000, group: 0 },
        { type: "REMAINDER", ...toProfit, keepInCents: 0, group: 2 },
        { type: "REMAINDER", ...toProfit, keepInCents: 0, group: 1 },
      ],
      moves: [
        ["Operating → Rent", 5_000, "MOVE"],
        ["Operating → Taxes", 10_001, "INSUFFICIENT_FUNDS"],
      ],
      actionsNotReached: 2,
    },
  ]);
});
