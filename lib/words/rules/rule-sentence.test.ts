import { expect, test } from "vitest";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import {
  ACCOUNT,
  act,
  NAMES,
  ruleOf,
  SPLIT_RULE,
  scheduled,
  share,
  shareInput,
} from "@/lib/testing/rules/example-rules";
import { phrasesText } from "@/lib/words/rules/phrases";
import { ruleLine } from "@/lib/words/rules/rule-line";
import { ruleSentence, shortageSentence } from "@/lib/words/rules/rule-sentence";

const FLOORS = "No account goes below its floor unless a person approves the run.";
const STOPS = "If there isn’t enough money, it stops.";

const inWords = (rule: RuleDefinition) =>
  `${phrasesText(ruleSentence(rule, NAMES))} ${shortageSentence(rule)}`;
/** One action of the client's account, told without what every sentence ends in. */
const wordedAction = (input: Parameters<typeof act>[0]) => {
  const words = inWords(ruleOf({ steps: [{ actions: [act(input)] }] }));
  return words.replace(` ${FLOORS}`, "").replace("When money arrives in Client payments, ", "");
};

test("the sentence of a rule with every part", () => {
  expect(inWords(SPLIT_RULE)).toBe(
    "When money arrives in Client payments and it is $1,000.00 or more, send 27% of the deposit to Taxes, 30% to Payroll but at most $6,000.00 a month, and 10% to Profit. Then fill Owner’s pay up to $2,000.00, then send the rest of Client payments to Operating. Otherwise, if the deposit is $100.00 or more, send 27% of the deposit to Taxes. Then send the rest of Client payments to Operating. Otherwise nothing moves. If there isn’t enough money, filling up takes what is available and any other transfer stops the run. No account goes below its floor unless a person approves the run.",
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
    "send $620.00 (or what is available) to Owner’s pay.",
  ],
  [
    { type: "PERCENTAGE", ...to, percentage: 12.5, of: "INCOMING_AMOUNT" },
    `send 12.5% of the deposit to Owner’s pay. ${STOPS}`,
  ],
  [
    { type: "PERCENTAGE", ...to, percentage: 0.0001, of: "SOURCE_BALANCE" },
    `send 0.0001% of the available balance of Client payments to Owner’s pay. ${STOPS}`,
  ],
  [
    { type: "TOP_UP", ...to, amountInCents: 200_000 },
    "fill Owner’s pay up to $2,000.00. Filling up takes what is available.",
  ],
  [
    { type: "ROUND_DOWN", ...to, amountInCents: 10_000 },
    "send everything above a multiple of $100.00 in Client payments to Owner’s pay.",
  ],
  [{ type: "REMAINDER", ...to }, "send everything in Client payments to Owner’s pay."],
  [
    { type: "REMAINDER", ...to, keepInCents: 50_000 },
    "send everything above $500.00 in Client payments to Owner’s pay.",
  ],
  [{ type: "NEXT_PAYMENT_MINIMUM", ...card }, `pay the next minimum payment of Summit Visa. ${STOPS}`],
  [{ type: "LAST_STATEMENT_BALANCE", ...card }, `pay the last statement of Summit Visa. ${STOPS}`],
  [
    { type: "TOTAL_AMOUNT_DUE", ...card, upTo: true },
    "pay the full amount owed (or what is available) on Summit Visa.",
  ],
  [
    { type: "PERCENTAGE_OF_LIABILITY", ...card, percentage: 25 },
    `pay 25% of the amount owed on Summit Visa. ${STOPS}`,
  ],
  [
    { type: "SNOWBALL", ...debts },
    `put $800.00 toward Summit Visa and Car loan (smallest debt first). ${STOPS}`,
  ],
  [
    { type: "AVALANCHE", ...debts },
    `put $800.00 toward Summit Visa and Car loan (highest interest rate first). ${STOPS}`,
  ],
  [
    { type: "AVALANCHE", destinationAccountIds: [ACCOUNT.visa], amountInCents: 80_000, upTo: true },
    "put $800.00 (or what is available) toward Summit Visa.",
  ],
] as const)("every action has its words: $0.type, %#", (input, words) => {
  expect(wordedAction(input)).toBe(words);
});

const FRIDAY = scheduled({ frequency: "WEEKLY", dayOfWeek: 5, time: "17:00" });

test("the source account is named unless the sentence just named it", () => {
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
  expect(inWords(rule)).toContain(
    "Every Friday at 5:00 PM (New York time), from Aug 3, 2026, send $1.00 from Operating to Taxes, $2.00 to Owner’s pay, and fill Payroll up to $3.00 from Profit.",
  );
});

test("a share of the deposit from another account does not read as a deposit from there", () => {
  const rule = ruleOf({
    steps: [{ actions: [act({ ...shareInput(10, ACCOUNT.taxes), sourceAccountId: ACCOUNT.operating })] }],
  });
  expect(inWords(rule)).toContain("send 10% of the deposit, taken from Operating, to Taxes.");
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
  expect(inWords(twice)).toContain(
    "send 50% of the deposit to Taxes and 50% of the deposit, taken from Operating, to Taxes.",
  );
});

test("shared limits are named as such, and numbered if their amounts are equal", () => {
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
  expect(inWords(rule)).toContain(
    "send 1% of the deposit to Taxes within the shared limit 1 of $500.00 a week, 2% to Payroll within the shared limit 1 of $500.00 a week, 3% to Profit within the shared limit 2 of $500.00 a week, and 4% to Owner’s pay within the shared limit 2 of $500.00 a week.",
  );
});

test("groups are listed in run order, however they are stored", () => {
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
  expect(inWords(rule)).toContain(
    "send 5% of the deposit to Taxes. Then send the rest of Client payments to Operating.",
  );
});

test("steps after one that always runs are listed as never reached", () => {
  const step = { actions: [share(5, ACCOUNT.taxes)] };
  const words = inWords(ruleOf({ steps: [step, step, step] }));
  expect(words).toContain("The two steps after that are never reached.");
  expect(words).not.toContain("Otherwise");
});

test("a removed or closed account is shown without its id", () => {
  const rule = ruleOf({ steps: [{ actions: [share(5, ACCOUNT.gone)] }] });
  expect(inWords(rule)).toContain("to a removed account.");
  const closed = { ...NAMES, [ACCOUNT.gone]: { name: "Old pod", kind: "POD" as const, isClosed: true } };
  expect(phrasesText(ruleSentence(rule, closed))).toContain("to Old pod (closed).");
});

test.each([
  ["When money arrives in Client payments, splits it across five pods, in one of two ways.", SPLIT_RULE],
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
    "Every Friday at 5:00 PM, moves $620.00 from Operating to Owner’s pay.",
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
    "When someone runs it, pays the last statement of Summit Visa from Operating.",
    ruleOf({
      trigger: { type: "MANUAL", accountId: ACCOUNT.operating },
      steps: [
        { actions: [act({ type: "LAST_STATEMENT_BALANCE", sourceAccountId: ACCOUNT.operating, ...card })] },
      ],
    }),
  ],
])("a rule in a list is one line: %s", (line, rule) => {
  expect(ruleLine(rule, NAMES)).toBe(line);
});
