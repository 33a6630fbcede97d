import { expect, test } from "vitest";
import { ruleConditionsSchema } from "@/lib/contract/rules/condition";
import { comparisonsOf } from "@/lib/engine/comparisons-of";
import { ACCOUNT, NAMES, SPLIT_RULE } from "@/lib/testing/rules/example-rules";
import { comparisonSentence, conditionLabel, conditionWords } from "@/lib/words/rules/condition-words";
import { phrasesText } from "@/lib/words/rules/phrases";

const setting = { trigger: SPLIT_RULE.trigger, names: NAMES };
const inWords = (conditions: unknown) =>
  phrasesText(conditionWords(ruleConditionsSchema.parse(conditions), setting));

const a = { fact: "INCOMING_AMOUNT", operator: "GREATER_THAN", value: 100 };
const b = { fact: "DAY_OF_MONTH", operator: "LESS_THAN_OR_EQUAL", value: 20 };
const c = { fact: "DAY_OF_WEEK", operator: "EQUAL", value: 5 };
const [A, B, C] = [
  "the deposit is more than $1.00",
  "the day of the month is the 20th or earlier",
  "the day of the week is Friday",
];

test.each([
  [{ all: [a] }, A],
  [{ any: [{ all: [{ any: [b] }] }] }, B],
  [{ all: [a, b] }, `${A} and ${B}`],
  [{ all: [a, b, c] }, `${A}, ${B}, and ${C}`],
  [{ any: [a, b] }, `either ${A} or ${B}`],
  [{ all: [a, { any: [b, c] }] }, `${A}, and either ${B} or ${C}`],
  [{ any: [a, { all: [b, c] }] }, `either ${A}, or both ${B} and ${C}`],
  [{ all: [a, { any: [b, { all: [a, c] }] }] }, `${A}, and any of (${B}, or both ${A} and ${C})`],
  [{ any: [{ all: [a, b, c] }, c] }, `either all of (${A}, ${B}, and ${C}), or ${C}`],
])("nested conditions read exactly as they are evaluated: %#", (conditions, words) => {
  expect(inWords(conditions)).toBe(words);
});

const account = { accountId: ACCOUNT.payroll };
test.each([
  [{ fact: "BALANCE", ...account, operator: "EQUAL", value: 500 }, "the balance of Payroll is exactly $5.00"],
  [
    { fact: "BALANCE", accountId: ACCOUNT.visa, operator: "NOT_EQUAL", value: -500 },
    "the amount owed on Summit Visa is not −$5.00",
  ],
  [
    { fact: "AVAILABLE_BALANCE", ...account, operator: "LESS_THAN", value: 500 },
    "the available balance of Payroll is less than $5.00",
  ],
  [
    { fact: "NEXT_PAYMENT_MINIMUM", accountId: ACCOUNT.visa, operator: "LESS_THAN_OR_EQUAL", value: 500 },
    "the next minimum payment of Summit Visa is $5.00 or less",
  ],
  [
    {
      fact: "LAST_STATEMENT_BALANCE",
      accountId: ACCOUNT.visa,
      operator: "GREATER_THAN_OR_EQUAL",
      value: 500,
    },
    "the last statement of Summit Visa is $5.00 or more",
  ],
  [
    {
      fact: "INCOMING_AMOUNT",
      operator: "GREATER_THAN_OR_EQUAL",
      valueFact: { fact: "BALANCE", ...account },
    },
    "the deposit is at least the balance of Payroll",
  ],
  [{ fact: "DAY_OF_MONTH", operator: "NOT_EQUAL", value: 22 }, "the day of the month is not the 22nd"],
  [{ fact: "DAY_OF_WEEK", operator: "GREATER_THAN", value: 3 }, "the day of the week is after Wednesday"],
  [
    { fact: "DATE", operator: "GREATER_THAN_OR_EQUAL", value: "2026-12-31" },
    "the date is Dec 31, 2026 or later",
  ],
])("every fact and operator has its words: %#", (comparison, words) => {
  expect(inWords({ all: [comparison] })).toBe(words);
});

test("a drawing shows only the amount of a deposit condition", () => {
  expect(conditionLabel(SPLIT_RULE.steps[0]?.conditions ?? null, setting)).toBe("$1,000.00 or more");
  expect(conditionLabel(null, setting)).toBe("Always");
});

test("the result of a comparison shows the values of both sides", () => {
  const conditions = ruleConditionsSchema.parse({
    all: [
      a,
      {
        any: [
          {
            fact: "BALANCE",
            accountId: ACCOUNT.operating,
            operator: "LESS_THAN",
            valueFact: { fact: "BALANCE", ...account },
          },
          b,
        ],
      },
    ],
  });
  const comparisons = comparisonsOf(conditions);
  expect(comparisons.map(({ path }) => path)).toEqual(["0", "1.0", "1.1"]);
  const sentences = comparisons.map(({ comparison }, index) =>
    comparisonSentence(
      comparison,
      [
        { outcome: "HOLDS" as const, leftValue: 520_000, rightValue: 100 },
        { outcome: "DOES_NOT_HOLD" as const, leftValue: 300, rightValue: 200 },
        { outcome: "NOT_LOOKED_AT" as const, leftValue: null, rightValue: null },
      ][index] ?? { outcome: "NOT_LOOKED_AT", leftValue: null, rightValue: null },
      setting,
    ),
  );
  expect(sentences).toEqual([
    "The deposit is $5,200.00, so the condition is met.",
    "The balance of Operating is $3.00 and the balance of Payroll is $2.00, so the condition is not met.",
    "Not evaluated, because the result was already certain.",
  ]);
});
