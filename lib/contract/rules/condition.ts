import { z } from "zod";
import { dateText } from "@/lib/contract/input/instants";
import { ruleAccountId } from "@/lib/contract/rules/trigger";

const ACCOUNT_FACTS = [
  "BALANCE",
  "AVAILABLE_BALANCE",
  "NEXT_PAYMENT_MINIMUM",
  "LAST_STATEMENT_BALANCE",
] as const;
const accountFact = z.strictObject({
  fact: z
    .enum(ACCOUNT_FACTS)
    .describe(
      "Of an account, in cents. `BALANCE`: what it holds, or owes for a debt. `AVAILABLE_BALANCE`: what the next transfer could take. `NEXT_PAYMENT_MINIMUM`, `LAST_STATEMENT_BALANCE`: of a debt.",
    ),
  accountId: ruleAccountId,
});
const runFact = z.strictObject({
  fact: z
    .enum(["INCOMING_AMOUNT", "DAY_OF_MONTH", "DAY_OF_WEEK"])
    .describe(
      "Of the run. `INCOMING_AMOUNT`: the amount that started it, in cents. `DAY_OF_MONTH`: 1 to 31. `DAY_OF_WEEK`: 1 (Monday) to 7, both in the organization's time zone.",
    ),
});

const operatorShape = {
  operator: z.enum([
    "EQUAL",
    "NOT_EQUAL",
    "GREATER_THAN",
    "GREATER_THAN_OR_EQUAL",
    "LESS_THAN",
    "LESS_THAN_OR_EQUAL",
  ]),
};
/** Cents, or a day. */
const number = z
  .int("must be a whole number: cents, or a day, where Monday is 1")
  .min(-Number.MAX_SAFE_INTEGER)
  .max(Number.MAX_SAFE_INTEGER);
const againstNumber = { value: number.describe("Cents, or a day, depending on the fact.") };
const againstFact = {
  valueFact: z
    .union([accountFact.meta({ title: "RuleFactOfAccount" }), runFact.meta({ title: "RuleFactOfRun" })])
    .describe("Another fact to compare with, instead of a `value`."),
};

/** One comparison: a fact with a value, or with another fact. */
const comparisonOf = (date: z.ZodType<string, string>) =>
  z
    .union([
      accountFact
        .extend({ ...operatorShape, ...againstNumber })
        .meta({ title: "RuleComparisonOfAccountWithNumber" }),
      accountFact
        .extend({ ...operatorShape, ...againstFact })
        .meta({ title: "RuleComparisonOfAccountWithFact" }),
      runFact.extend({ ...operatorShape, ...againstNumber }).meta({ title: "RuleComparisonOfRunWithNumber" }),
      runFact.extend({ ...operatorShape, ...againstFact }).meta({ title: "RuleComparisonOfRunWithFact" }),
      z
        .strictObject({ fact: z.literal("DATE"), ...operatorShape, value: date })
        .meta({ title: "RuleComparisonOfDate" }),
    ])
    .meta({ id: "RuleComparison", description: "A fact compared with a value, or with another fact." });

const MAXIMUM_CONDITIONS = 20;
const groupOf = <Member extends z.ZodType>(member: Member) =>
  z.union(
    [
      z.strictObject({ all: z.array(member).min(1).max(MAXIMUM_CONDITIONS) }),
      z.strictObject({ any: z.array(member).min(1).max(MAXIMUM_CONDITIONS) }),
    ],
    "must be an object with `all` or `any` that holds the list of comparisons, or null for always",
  );

/** Written out level by level: a recursive schema would follow hostile nesting until the stack overflows. */
function conditionsOf(date: z.ZodType<string, string>) {
  const comparison = comparisonOf(date);
  const secondLevel = groupOf(comparison).meta({ id: "RuleConditionsThirdLevel" });
  const firstLevel = groupOf(z.union([comparison, secondLevel])).meta({ id: "RuleConditionsSecondLevel" });
  return groupOf(z.union([comparison, firstLevel])).meta({
    id: "RuleConditions",
    description: "Nested `all` and `any`, at most three deep.",
  });
}

/** Nested `all` and `any`, three deep (docs/behavior/rules.md). */
export const ruleConditionsSchema = conditionsOf(dateText);
/** The same as stored, with dates of any year. */
export const storedRuleConditionsSchema = conditionsOf(z.iso.date());
