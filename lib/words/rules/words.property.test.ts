import fc from "fast-check";
import { expect, test } from "vitest";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan } from "@/lib/contract/rules/plan";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { accountsOf } from "@/lib/engine/accounts-of";
import { comparisonsOf } from "@/lib/engine/comparisons-of";
import { evaluate } from "@/lib/engine/evaluate";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { ACCOUNT, NAMES } from "@/lib/testing/rules/example-rules";
import { actionWords, shortActionWords, stepSummary } from "@/lib/words/rules/action-words";
import { comparisonSentence, conditionLabel } from "@/lib/words/rules/condition-words";
import { phrasesText } from "@/lib/words/rules/phrases";
import { ruleLine } from "@/lib/words/rules/rule-line";
import { ruleSentence } from "@/lib/words/rules/rule-sentence";
import {
  failureWords,
  moveText,
  runErrorMessage,
  skipWords,
  unknownWords,
} from "@/lib/words/rules/trace-words";

const accountIds = Object.values(ACCOUNT);
const account = fc.constantFrom(...accountIds);
const cents = (minimum: number) => fc.integer({ min: minimum, max: MAXIMUM_TRANSFER_IN_CENTS });

const accountFact = fc.record({
  fact: fc.constantFrom("BALANCE", "AVAILABLE_BALANCE", "NEXT_PAYMENT_MINIMUM", "LAST_STATEMENT_BALANCE"),
  accountId: account,
});
const runFact = fc.record({ fact: fc.constantFrom("INCOMING_AMOUNT", "DAY_OF_MONTH", "DAY_OF_WEEK") });
const fact = fc.oneof(accountFact, runFact);
const operator = fc.constantFrom(
  "EQUAL",
  "NOT_EQUAL",
  "GREATER_THAN",
  "GREATER_THAN_OR_EQUAL",
  "LESS_THAN",
  "LESS_THAN_OR_EQUAL",
);
const comparison = fc.oneof(
  fc
    .tuple(fact, operator, fc.integer({ min: -40, max: 1_000_000 }))
    .map(([left, op, value]) => ({ ...left, operator: op, value })),
  fc.tuple(fact, operator, fact).map(([left, op, valueFact]) => ({ ...left, operator: op, valueFact })),
  operator.map((op) => ({ fact: "DATE", operator: op, value: "2026-11-20" })),
);
const groupOf = (member: fc.Arbitrary<unknown>) =>
  fc
    .tuple(fc.constantFrom("all", "any"), fc.array(member, { minLength: 1, maxLength: 3 }))
    .map(([name, members]) => ({ [name]: members }));
const conditions = groupOf(fc.oneof(comparison, groupOf(fc.oneof(comparison, groupOf(comparison)))));

const action = fc
  .record({
    type: fc.constantFrom(
      "FIXED",
      "PERCENTAGE",
      "TOP_UP",
      "ROUND_DOWN",
      "REMAINDER",
      "NEXT_PAYMENT_MINIMUM",
      "LAST_STATEMENT_BALANCE",
      "TOTAL_AMOUNT_DUE",
      "PERCENTAGE_OF_LIABILITY",
      "SNOWBALL",
      "AVALANCHE",
    ),
    sourceAccountId: account,
    destination: account,
    others: fc.array(account, { maxLength: 4 }),
    amountInCents: cents(100),
    tenThousandths: fc.integer({ min: 1, max: 20_000 }),
    of: fc.constantFrom("INCOMING_AMOUNT", "SOURCE_BALANCE"),
    group: fc.integer({ min: 0, max: 4 }),
    upTo: fc.boolean(),
    limitId: fc.constantFrom(null, "one", "two"),
  })
  .map(({ type, destination, others, amountInCents, tenThousandths, of, ...shared }) => {
    const elsewhere = destination === shared.sourceAccountId ? nextAccount(destination) : destination;
    const base = { type, ...shared };
    const percentage = tenThousandths / 10_000;
    switch (type) {
      case "SNOWBALL":
      case "AVALANCHE": {
        const debts = [elsewhere, ...others.filter((id) => id !== shared.sourceAccountId)];
        return { ...base, destinationAccountIds: debts, amountInCents };
      }
      case "PERCENTAGE":
        return { ...base, destinationAccountId: elsewhere, percentage, of };
      case "PERCENTAGE_OF_LIABILITY":
        return { ...base, destinationAccountId: elsewhere, percentage };
      case "FIXED":
      case "TOP_UP":
      case "ROUND_DOWN":
        return { ...base, destinationAccountId: elsewhere, amountInCents };
      default:
        return { ...base, destinationAccountId: elsewhere };
    }
  });

function nextAccount(id: string): string {
  return accountIds.find((other) => other !== id) ?? id;
}

const schedule = fc
  .constantFrom<Record<string, unknown>>(
    { frequency: "ONE_TIME" },
    { frequency: "DAILY" },
    { frequency: "WEEKLY", dayOfWeek: 7 },
    { frequency: "EVERY_OTHER_WEEK", dayOfWeek: 1 },
    { frequency: "TWICE_A_MONTH", daysOfMonth: [-1, 30] },
    { frequency: "MONTHLY", daysOfMonth: [31] },
    { frequency: "CRON", cron: "*/7 1-5 * 2 1" },
  )
  .chain((base) =>
    fc
      .record({
        timeZone: fc.constantFrom("UTC", "America/New_York", "Asia/Kolkata"),
        onNonBankingDay: fc.constantFrom("SAME_DAY", "NEXT_BANKING_DAY", "PREVIOUS_BANKING_DAY"),
        startAt: fc.constant("2026-03-01T00:00:00Z"),
      })
      .map((rest) => ({ ...base, ...rest })),
  );
const trigger = fc.oneof(
  account.map((accountId) => ({ type: "MANUAL", accountId })),
  fc
    .tuple(account, schedule)
    .map(([accountId, value]) => ({ type: "SCHEDULED", accountId, schedule: value })),
  fc.tuple(account, fc.option(cents(0))).map(([accountId, minimumAmountInCents]) => ({
    type: "ON_FUNDS_TRANSFERRED",
    accountId,
    minimumAmountInCents,
  })),
);
const limits = fc.constantFrom("TRANSFER", "DAY", "WEEK", "MONTH", "YEAR").map((period) => [
  { id: "one", period, amountInCents: 90_000 },
  { id: "two", period: "MONTH", amountInCents: 90_000 },
]);
const rule: fc.Arbitrary<RuleDefinition> = fc
  .record({
    trigger,
    limits,
    steps: fc.array(
      fc.record({
        conditions: fc.option(conditions),
        actions: fc.array(action, { minLength: 1, maxLength: 5 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map((input) => ruleDefinitionSchema.safeParse({ name: "Any", ...input }))
  .filter((parsed) => parsed.success)
  .map((parsed) => parsed.data);

const some = (values: readonly (number | null)[]) => fc.constantFrom(...values);
const accountFacts: fc.Arbitrary<AccountFacts> = fc.record({
  name: fc.constant("Any"),
  type: fc.constant("POD"),
  externalAccountType: fc.constant(null),
  interestRatePercentage: fc.constant(null),
  balanceInCents: some([0, 50, 215_000, -300, 9_000_000_000, null]),
  availableInCents: some([0, 50, 215_000, 9_000_000_000]),
  floorInCents: some([null, 100_000]),
  onItsWayInCents: fc.constantFrom(0, 5_000),
  nextPaymentMinimumInCents: some([3_500, 0, 90_000]),
  lastStatementBalanceInCents: some([90_000, 150]),
  isClosed: fc.constantFrom(false, false, false, true),
});
const factsOf = (definition: RuleDefinition): fc.Arbitrary<RuleFacts> => {
  const ids = accountsOf(definition);
  return fc.array(accountFacts, { minLength: ids.length, maxLength: ids.length }).map((accounts) => ({
    at: "2026-11-20T12:00:00.000Z",
    date: "2026-11-20",
    incomingAmountInCents: 620_000,
    isApprovedByPerson: false,
    limitsUsedInCents: { one: 89_950, two: 90_000 },
    accounts: Object.fromEntries(
      ids.flatMap((id, index) => {
        const given = accounts[index];
        return given ? [[id, given] as const] : [];
      }),
    ),
  }));
};

/** What no reader may meet: a hole, an id, or a word of the API. */
const UNREADABLE = /undefined|null|NaN|\[object|[0-9a-f]{8}-[0-9a-f]{4}-|\b[A-Z]{2,}_[A-Z_]+\b| {2}|\.\.|,,/;
const SHOUTED =
  /\b(FIXED|PERCENTAGE|REMAINDER|SNOWBALL|AVALANCHE|MANUAL|SCHEDULED|DAILY|WEEKLY|MONTHLY|CRON|TRANSFER|BALANCE|DATE|EQUAL|MOVE|SKIPPED|FAILED|POD|LIABILITY|AVAILABLE|FLOOR|LIMIT|OWED)\b/;

/** One assertion a rule: there are ten thousand of them. */
function unreadable(texts: readonly string[]): string[] {
  return texts.filter((text) => text.trim() === "" || UNREADABLE.test(text) || SHOUTED.test(text));
}

const size = { numRuns: proofSize(200, 3_000), seed: proofSeed };
/** A full proof beside others takes longer than a test usually may. */
const TIMEOUT_MS = 300_000;

test("no rule has a sentence, line or label with a hole, an id or a word of the API in it", {
  timeout: TIMEOUT_MS,
}, () => {
  fc.assert(
    fc.property(rule, (definition) => {
      const sentence = phrasesText(ruleSentence(definition, NAMES));
      const setting = { trigger: definition.trigger, names: NAMES };
      const texts = [sentence, ruleLine(definition, NAMES)];
      for (const [index, { conditions: given, actions }] of definition.steps.entries()) {
        texts.push(conditionLabel(given, setting), stepSummary(definition, index, NAMES));
        for (const each of actions) texts.push(actionWords(each, definition.limits), shortActionWords(each));
      }
      expect(unreadable(texts)).toEqual([]);
      expect(sentence).toMatch(/^[A-Z].*\.$/s);
    }),
    size,
  );
});

test("no plan has arithmetic, reasons or messages with a hole, an id or a word of the API in them", {
  timeout: TIMEOUT_MS,
}, () => {
  fc.assert(
    fc.property(
      rule.chain((definition) => fc.tuple(fc.constant(definition), factsOf(definition))),
      ([definition, facts]) => {
        const evaluation = evaluate(definition, facts);
        if (evaluation.kind === "UNKNOWN") {
          expect(unreadable([unknownWords(evaluation.missing, NAMES)])).toEqual([]);
          return;
        }
        const { plan } = evaluation;
        const run = { rule: definition, plan, names: NAMES, facts };
        const texts = plan.moves.map((move) => moveText(move, run));
        for (const move of plan.moves) {
          if (move.outcome === "SKIPPED") texts.push(skipWords(move, run) ?? "");
          if (move.outcome === "FAILED") {
            texts.push(failureWords(move, NAMES) ?? "", runErrorMessage(plan, NAMES) ?? "");
          }
        }
        expect(unreadable([...texts, ...comparisonTexts(definition, plan.steps)])).toEqual([]);
      },
    ),
    size,
  );
});

/** The sentences of all comparisons that a run traced; a hole where the trace names another than the rule has. */
function comparisonTexts(definition: RuleDefinition, steps: RulePlan["steps"]): string[] {
  const setting = { trigger: definition.trigger, names: NAMES };
  return steps.flatMap(({ outcome, comparisons }, index) => {
    if (outcome === "NOT_LOOKED_AT") return [];
    const known = comparisonsOf(definition.steps[index]?.conditions ?? null);
    if (known.length !== comparisons.length) return [""];
    return comparisons.map((traced, at) => {
      const found = known[at];
      return found?.path === traced.path ? comparisonSentence(found.comparison, traced, setting) : "";
    });
  });
}
