import { expect, test } from "vitest";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { phrasesText } from "@/lib/engine/words/phrases";
import { ruleLine } from "@/lib/engine/words/rule-line";
import { ruleSentence, shortageSentence } from "@/lib/engine/words/rule-sentence";
import {
  ACCOUNT,
  act,
  NAMES,
  ruleOf,
  SPLIT_RULE,
  scheduled,
  share,
  shareInput,
} from "@/lib/testing/example-rules";

const FLOORS = "No account goes below its floor, unless a person approves the run.";
const STOPS = "Where the money is short, the run stops.";

const told = (rule: RuleDefinition) => `${phrasesText(ruleSentence(rule, NAMES))} ${shortageSentence(rule)}`;
/** One action of the client's account, told without what every sentence ends in. */
const toldAction = (input: Parameters<typeof act>[0]) => {
  const words = told(ruleOf({ steps: [{ actions: [act(input)] }] }));
  return words.replace(` ${FLOORS}`, "").replace("When money arrives in Client payments, ", "");
};

test("the sentence of the designed page", () => {
  expect(told(SPLIT_RULE)).toBe(
    "When money arrives in Client payments and it is $1,000.00 or more, send 27% of what arrived to Taxes, 30% to Payroll but at most $6,000.00 a month, and 10% to Profit. Then fill Owner’s pay up to $2,000.00, then send the rest of Client payments to Operating. Otherwise, if the amount that arrived is $100.00 or more, send 27% of what arrived to Taxes. Then send the rest of Client payments to Operating. Otherwise nothing moves. Where the money is short, filling up takes what is there and any other transfer stops the run. No account goes below its floor, unless a person approves the run.",
  );
  const keys = ruleSentence(SPLIT_RULE, NAMES).filter(({ isKey }) => isKey);
  expect(keys.map(({ text }) => text).slice(0, 6)).toEqual([
    "Client payments",
    "$1,000.00 or more",
    "27%",
    "30%",
    "$6,000.00 a month",
    "10%",
  ]);
});

const to = { destinationAccountId: ACCOUNT.owner };
const card = { destinationAccountId: ACCOUNT.visa };
const debts = { destinationAccountIds: [ACCOUNT.visa, ACCOUNT.loan], amountInCents: 80_000 };

test.each([
  [{ type: "FIXED", ...to, amountInCents: 62_000 }, `send $620.00 to Owner’s pay. ${STOPS}`],
  [
    { type: "FIXED", ...to, amountInCents: 62_000, upTo: true },
    "send $620.00 (or what is there) to Owner’s pay.",
  ],
  [
    { type: "PERCENTAGE", ...to, percentage: 12.5, of: "INCOMING_AMOUNT" },
    `send 12.5% of what arrived to Owner’s pay. ${STOPS}`,
  ],
  [
    { type: "PERCENTAGE", ...to, percentage: 0.0001, of: "SOURCE_BALANCE" },
    `send 0.0001% of what Client payments has available to Owner’s pay. ${STOPS}`,
  ],
  [
    { type: "TOP_UP", ...to, amountInCents: 200_000 },
    "fill Owner’s pay up to $2,000.00. Filling up takes what is there.",
  ],
  [
    { type: "ROUND_DOWN", ...to, amountInCents: 10_000 },
    "send what Client payments holds above a multiple of $100.00 to Owner’s pay.",
  ],
  [{ type: "REMAINDER", ...to }, "send everything in Client payments to Owner’s pay."],
  [
    { type: "REMAINDER", ...to, keepInCents: 50_000 },
    "send what Client payments holds above $500.00 to Owner’s pay.",
  ],
  [{ type: "NEXT_PAYMENT_MINIMUM", ...card }, `pay the next minimum payment of Summit Visa. ${STOPS}`],
  [{ type: "LAST_STATEMENT_BALANCE", ...card }, `pay the last statement of Summit Visa. ${STOPS}`],
  [
    { type: "TOTAL_AMOUNT_DUE", ...card, upTo: true },
    "pay everything that is owed (or what is there) on Summit Visa.",
  ],
  [
    { type: "PERCENTAGE_OF_LIABILITY", ...card, percentage: 25 },
    `pay 25% of what is owed on Summit Visa. ${STOPS}`,
  ],
  [
    { type: "SNOWBALL", ...debts },
    `put $800.00 towards Summit Visa and Car loan (smallest debt first). ${STOPS}`,
  ],
  [
    { type: "AVALANCHE", ...debts },
    `put $800.00 towards Summit Visa and Car loan (highest interest rate first). ${STOPS}`,
  ],
  [
    { type: "AVALANCHE", destinationAccountIds: [ACCOUNT.visa], amountInCents: 80_000, upTo: true },
    "put $800.00 (or what is there) towards Summit Visa.",
  ],
] as const)("every action has its words: $0.type, %#", (input, words) => {
  expect(toldAction(input)).toBe(words);
});

const FRIDAY = scheduled({ frequency: "WEEKLY", dayOfWeek: 5, time: "17:00" });

test("the account that money comes from is named where the sentence has not named it", () => {
  const rule = ruleOf({
    trigger: FRIDAY,
    steps: [
      {
        actions: [
          act({
            type: "FIXED",
            sourceAccountId: ACCOUNT.operating,
            destinationAccountId: ACCOUNT.taxes,
            amountInCents: 100,
          }),
          act({
            type: "FIXED",
            sourceAccountId: ACCOUNT.operating,
            destinationAccountId: ACCOUNT.owner,
            amountInCents: 200,
          }),
          act({
            type: "TOP_UP",
            sourceAccountId: ACCOUNT.profit,
            destinationAccountId: ACCOUNT.payroll,
            amountInCents: 300,
          }),
        ],
      },
    ],
  });
  expect(told(rule)).toContain(
    "Every Friday at 17:00 (New York time), from 3 Aug 2026, send $1.00 from Operating to Taxes, $2.00 to Owner’s pay, and fill Payroll up to $3.00 from Profit.",
  );
});

test("a share of what arrived, taken out of another account, does not read as money that arrived from there", () => {
  const rule = ruleOf({
    steps: [{ actions: [act({ ...shareInput(10, ACCOUNT.taxes), sourceAccountId: ACCOUNT.operating })] }],
  });
  expect(told(rule)).toContain("send 10% of what arrived, taken from Operating, to Taxes.");
  const twice = ruleOf({
    steps: [
      {
        actions: [
          act(shareInput(50, ACCOUNT.taxes)),
          act({ ...shareInput(50, ACCOUNT.taxes), sourceAccountId: ACCOUNT.operating }),
        ],
      },
    ],
  });
  expect(told(twice)).toContain(
    "send 50% of what arrived to Taxes and 50% of what arrived, taken from Operating, to Taxes.",
  );
});

test("a limit that several actions share says so, and two of one size are told apart", () => {
  const limits = ["a", "b"].map((id) => ({ id, period: "WEEK", amountInCents: 50_000 }));
  const limited = (percentage: number, account: string, limitId: string) =>
    act({ ...shareInput(percentage, account), limitId });
  const rule = ruleOf({
    limits,
    steps: [
      {
        actions: [
          limited(1, ACCOUNT.taxes, "a"),
          limited(2, ACCOUNT.payroll, "a"),
          limited(3, ACCOUNT.profit, "b"),
          limited(4, ACCOUNT.owner, "b"),
        ],
      },
    ],
  });
  expect(told(rule)).toContain(
    "send 1% of what arrived to Taxes within the shared limit 1 of $500.00 a week, 2% to Payroll within the shared limit 1 of $500.00 a week, 3% to Profit within the shared limit 2 of $500.00 a week, and 4% to Owner’s pay within the shared limit 2 of $500.00 a week.",
  );
});

test("groups are told in the order in which they run, however they are written down", () => {
  const rule = ruleOf({
    steps: [
      {
        actions: [
          act({ type: "REMAINDER", destinationAccountId: ACCOUNT.operating, group: 7 }),
          act({ ...shareInput(5, ACCOUNT.taxes), group: 2 }),
        ],
      },
    ],
  });
  expect(told(rule)).toContain(
    "send 5% of what arrived to Taxes. Then send the rest of Client payments to Operating.",
  );
});

test("steps behind one that always runs are said to be never reached", () => {
  const step = { actions: [share(5, ACCOUNT.taxes)] };
  const words = told(ruleOf({ steps: [step, step, step] }));
  expect(words).toContain("The two steps after that are never reached.");
  expect(words).not.toContain("Otherwise");
});

test("an account that is gone or closed is told without its id", () => {
  const rule = ruleOf({ steps: [{ actions: [share(5, ACCOUNT.gone)] }] });
  expect(told(rule)).toContain("to an account that is gone.");
  const closed = { ...NAMES, [ACCOUNT.gone]: { name: "Old pod", kind: "POD" as const, isClosed: true } };
  expect(phrasesText(ruleSentence(rule, closed))).toContain("to Old pod (closed).");
});

test.each([
  ["When money arrives in Client payments, splits it over five pods, in one of two ways.", SPLIT_RULE],
  [
    "When money arrives in Client payments, moves some of it to two pods.",
    ruleOf({
      steps: [
        {
          actions: [
            share(8.25, ACCOUNT.taxes),
            act({ type: "TOP_UP", destinationAccountId: ACCOUNT.payroll, amountInCents: 50_000, group: 1 }),
          ],
        },
      ],
    }),
  ],
  [
    "When money arrives in Client payments, moves some of it to up to two pods, in one of two ways.",
    ruleOf({
      steps: [
        {
          conditions: { all: [{ fact: "DAY_OF_MONTH", operator: "EQUAL", value: 1 }] },
          actions: [share(10, ACCOUNT.payroll)],
        },
        { actions: [share(10, ACCOUNT.taxes), share(10, ACCOUNT.profit)] },
      ],
    }),
  ],
  [
    "Every Friday at 17:00, moves $620.00 from Operating to Owner’s pay.",
    ruleOf({
      trigger: FRIDAY,
      steps: [
        {
          actions: [act({ type: "FIXED", sourceAccountId: ACCOUNT.operating, ...to, amountInCents: 62_000 })],
        },
      ],
    }),
  ],
  [
    "When $50.00 or more arrives in Client payments and the balance of Payroll is less than $5.00, fills Payroll up to $6,500.00.",
    ruleOf({
      trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: ACCOUNT.client, minimumAmountInCents: 5_000 },
      steps: [
        {
          conditions: {
            all: [{ fact: "BALANCE", accountId: ACCOUNT.payroll, operator: "LESS_THAN", value: 500 }],
          },
          actions: [act({ type: "TOP_UP", destinationAccountId: ACCOUNT.payroll, amountInCents: 650_000 })],
        },
      ],
    }),
  ],
  [
    "When somebody runs it, pays the last statement of Summit Visa from Operating.",
    ruleOf({
      trigger: { type: "MANUAL", accountId: ACCOUNT.operating },
      steps: [
        { actions: [act({ type: "LAST_STATEMENT_BALANCE", sourceAccountId: ACCOUNT.operating, ...card })] },
      ],
    }),
  ],
])("in a list a rule is one line: %s", (line, rule) => {
  expect(ruleLine(rule, NAMES)).toBe(line);
});
