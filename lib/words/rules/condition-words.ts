import { formatCents } from "@/lib/contract/format-cents";
import type { ComparisonTrace } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames, Phrase } from "@/lib/contract/rules/rule-parts";
import type { RuleComparison, RuleConditions } from "@/lib/engine/check-conditions";
import { type ConditionNode, membersOf } from "@/lib/engine/comparisons-of";
import { accountName, dateWords, ordinal, weekday } from "@/lib/words/rules/number-words";
import { capitalized, key, phrasesText, say } from "@/lib/words/rules/phrases";

/** The context of the words: the same fact has different words under different triggers. */
export interface WordsSetting {
  trigger: RuleDefinition["trigger"];
  names: AccountNames;
}

type Operator = RuleComparison["operator"];
type FactReference = Pick<RuleComparison, "fact"> & { accountId?: string };

/** The incoming amount by trigger (`withBase`): the noun that every sentence uses for it. */
export function incomingWords({ trigger, names }: WordsSetting): string {
  switch (trigger.type) {
    case "ON_FUNDS_TRANSFERRED":
      return "the deposit";
    case "MANUAL":
      return "the starting amount";
    case "SCHEDULED":
      return `the starting balance of ${accountName(names, trigger.accountId)}`;
  }
}

/** `the balance of Operating`, `the amount owed on Summit Visa`, `the day of the month`. */
function factWords({ fact, accountId = "" }: FactReference, setting: WordsSetting): string {
  const name = () => accountName(setting.names, accountId);
  switch (fact) {
    case "INCOMING_AMOUNT":
      return incomingWords(setting);
    case "BALANCE":
      return setting.names[accountId]?.kind === "LIABILITY"
        ? `the amount owed on ${name()}`
        : `the balance of ${name()}`;
    case "AVAILABLE_BALANCE":
      return `the available balance of ${name()}`;
    case "NEXT_PAYMENT_MINIMUM":
      return `the next minimum payment of ${name()}`;
    case "LAST_STATEMENT_BALANCE":
      return `the last statement of ${name()}`;
    case "DAY_OF_MONTH":
      return "the day of the month";
    case "DAY_OF_WEEK":
      return "the day of the week";
    case "DATE":
      return "the date";
  }
}

const AGAINST_AMOUNT = {
  EQUAL: (it) => `exactly ${it}`,
  NOT_EQUAL: (it) => `not ${it}`,
  GREATER_THAN: (it) => `more than ${it}`,
  GREATER_THAN_OR_EQUAL: (it) => `${it} or more`,
  LESS_THAN: (it) => `less than ${it}`,
  LESS_THAN_OR_EQUAL: (it) => `${it} or less`,
} as const satisfies Record<Operator, (it: string) => string>;

const AGAINST_FACT = {
  EQUAL: (it) => `the same as ${it}`,
  NOT_EQUAL: (it) => `not the same as ${it}`,
  GREATER_THAN: (it) => `more than ${it}`,
  GREATER_THAN_OR_EQUAL: (it) => `at least ${it}`,
  LESS_THAN: (it) => `less than ${it}`,
  LESS_THAN_OR_EQUAL: (it) => `at most ${it}`,
} as const satisfies Record<Operator, (it: string) => string>;

const AGAINST_DAY = {
  EQUAL: (it) => it,
  NOT_EQUAL: (it) => `not ${it}`,
  GREATER_THAN: (it) => `after ${it}`,
  GREATER_THAN_OR_EQUAL: (it) => `${it} or later`,
  LESS_THAN: (it) => `before ${it}`,
  LESS_THAN_OR_EQUAL: (it) => `${it} or earlier`,
} as const satisfies Record<Operator, (it: string) => string>;

/** The other side of a comparison: `$1,000.00 or more`, `before the 20th`, `more than the balance of Payroll`. */
function boundWords(comparison: RuleComparison, setting: WordsSetting): string {
  const { operator } = comparison;
  if ("valueFact" in comparison) return AGAINST_FACT[operator](factWords(comparison.valueFact, setting));
  const value = valueWords(comparison.fact, comparison.value);
  return isDay(comparison.fact) ? AGAINST_DAY[operator](value) : AGAINST_AMOUNT[operator](value);
}

function isDay(fact: RuleComparison["fact"]): boolean {
  return fact === "DAY_OF_MONTH" || fact === "DAY_OF_WEEK" || fact === "DATE";
}

function valueWords(fact: RuleComparison["fact"], value: number | string): string {
  if (typeof value === "string") return dateWords(value);
  if (fact === "DAY_OF_MONTH") return `the ${ordinal(value)}`;
  if (fact === "DAY_OF_WEEK") return weekday(value);
  return formatCents(value);
}

/**
 * One comparison: "the deposit is **$1,000.00 or more**".
 * @param subject another word for the fact if the sentence just named it: "it"
 */
export function comparisonWords(
  comparison: RuleComparison,
  setting: WordsSetting,
  subject = factWords(comparison, setting),
): Phrase[] {
  return [say(`${subject} is `), key(boundWords(comparison, setting))];
}

/** Conditions as part of a sentence, grouped unambiguously, as the evaluator groups them. */
export function conditionWords(conditions: RuleConditions, setting: WordsSetting): Phrase[] {
  return groupWords(unwrapped(conditions), setting, 0);
}

/** The comparison of conditions that have just one; null otherwise. */
export function onlyComparison(conditions: RuleConditions): RuleComparison | null {
  const node = unwrapped(conditions);
  return "fact" in node ? node : null;
}

/** Unwraps groups with one member. */
function unwrapped(node: ConditionNode): ConditionNode {
  if ("fact" in node) return node;
  const members = membersOf(node);
  const [only] = members;
  return members.length === 1 && only ? unwrapped(only) : node;
}

/** Top level without brackets; two nested comparisons as "either … or", "both … and"; larger groups in brackets. */
function groupWords(node: ConditionNode, setting: WordsSetting, depth: number): Phrase[] {
  if ("fact" in node) return comparisonWords(node, setting);
  const members = membersOf(node).map(unwrapped);
  const isAll = "all" in node;
  const conjunction = isAll ? "and" : "or";
  const clauses = members.map((member) => groupWords(member, setting, depth + 1));
  const isPlain = members.every((member) => "fact" in member);
  const comma = members.length > 2 || !isPlain ? "," : "";
  const joined = clauses.flatMap((phrases, index) => {
    if (index === 0) return phrases;
    return [say(index === clauses.length - 1 ? `${comma} ${conjunction} ` : ", "), ...phrases];
  });
  if (depth === 0) return isAll ? joined : [say("either "), ...joined];
  if (members.length === 2 && isPlain) return [say(isAll ? "both " : "either "), ...joined];
  return [say(isAll ? "all of (" : "any of ("), ...joined, say(")")];
}

/** The shortest words for drawings: `$1,000.00 or more`; `Always` without conditions. */
export function conditionLabel(conditions: RuleConditions | null, setting: WordsSetting): string {
  if (conditions === null) return "Always";
  const only = onlyComparison(conditions);
  if (only?.fact === "INCOMING_AMOUNT" && setting.trigger.type === "ON_FUNDS_TRANSFERRED") {
    return capitalized(boundWords(only, setting));
  }
  return capitalized(phrasesText(conditionWords(conditions, setting)));
}

/** The result of one comparison of a run: "The deposit is $5,200.00, so the condition is met." */
export function comparisonSentence(
  comparison: RuleComparison,
  trace: Pick<ComparisonTrace, "outcome" | "leftValue" | "rightValue">,
  setting: WordsSetting,
): string {
  const { outcome, leftValue, rightValue } = trace;
  if (outcome === "NOT_LOOKED_AT" || leftValue === null) {
    return "Not evaluated, because the result was already certain.";
  }
  const left = `${factWords(comparison, setting)} is ${valueWords(comparison.fact, leftValue)}`;
  const right =
    "valueFact" in comparison && rightValue !== null
      ? ` and ${factWords(comparison.valueFact, setting)} is ${valueWords(comparison.valueFact.fact, rightValue)}`
      : "";
  return `${capitalized(left)}${right}, so the condition is ${outcome === "HOLDS" ? "met" : "not met"}.`;
}
