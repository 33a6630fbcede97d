import { formatCents } from "@/lib/contract/format-cents";
import type { RuleAction } from "@/lib/contract/rules/action";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames, Phrase } from "@/lib/contract/rules/rule-parts";
import type { RuleComparison, RuleConditions } from "@/lib/engine/check-conditions";
import { findLimit, groupsOf, isStrict, limitWords } from "@/lib/words/rules/action-words";
import {
  comparisonWords,
  conditionWords,
  incomingWords,
  type WordsSetting,
} from "@/lib/words/rules/condition-words";
import { accountName, numberWords, percentWords } from "@/lib/words/rules/number-words";
import { asSentence, capitalized, joinWords, key, say } from "@/lib/words/rules/phrases";
import { triggerWords } from "@/lib/words/rules/trigger-words";

type RuleInWords = Pick<RuleDefinition, "trigger" | "steps" | "limits">;
type Step = RuleDefinition["steps"][number];

/**
 * A whole rule as one paragraph: "When money arrives in **Client payments** and it is **$1,000.00 or more**, send **27%**
 * of the deposit to Taxes …". It includes everything that decides what moves, but no ids or API terms.
 */
export function ruleSentence(rule: RuleInWords, names: AccountNames): Phrase[] {
  const setting: ClauseSetting = {
    trigger: rule.trigger,
    names,
    limits: rule.limits,
    sharedLimitIds: sharedLimits(rule),
  };
  const reached = reachedSteps(rule.steps);
  const clauses = reached.flatMap((step, index) => [
    ...(index === 0 ? firstOpening(step.conditions, setting) : laterOpening(step.conditions, setting)),
    ...stepPhrases(step, setting),
  ]);
  const isOpen = reached.every(({ conditions }) => conditions !== null);
  const closing = isOpen ? "Otherwise nothing moves." : neverReached(rule.steps.length - reached.length);
  return asSentence(closing === "" ? clauses : [...clauses, say(` ${closing}`)]);
}

/**
 * What happens if money is short: small print below the rule's sentence.
 */
export function shortageSentence({ steps }: Pick<RuleInWords, "steps">): string {
  const shortfall = shortfallWords(reachedSteps(steps).flatMap(({ actions }) => actions));
  const floors = "No account goes below its floor unless a person approves the run.";
  return shortfall === "" ? floors : `${shortfall} ${floors}`;
}

/** Steps after one that always runs are never reached. */
function reachedSteps(steps: readonly Step[]): readonly Step[] {
  const lastReached = steps.findIndex(({ conditions }) => conditions === null);
  return lastReached === -1 ? steps : steps.slice(0, lastReached + 1);
}

function sharedLimits({ steps }: RuleInWords): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { limitId } of steps.flatMap(({ actions }) => actions)) {
    if (limitId === null) continue;
    if (seen.has(limitId)) shared.add(limitId);
    seen.add(limitId);
  }
  return shared;
}

/** "when money arrives in **Client payments** and it is **$1,000.00 or more**, " */
function firstOpening(conditions: RuleConditions | null, setting: ClauseSetting): Phrase[] {
  const trigger = triggerWords(setting.trigger, setting.names);
  if (conditions === null) return [...trigger, say(", ")];
  const ofArrival = setting.trigger.type === "ON_FUNDS_TRANSFERRED" ? leadingIncoming(conditions) : null;
  if (!ofArrival) return [...trigger, say(", if "), ...conditionWords(conditions, setting), say(", ")];
  const its = comparisonWords(ofArrival.first, setting, "it");
  const others = ofArrival.others.flatMap((comparison) => [
    say(" and "),
    ...comparisonWords(comparison, setting),
  ]);
  return [...trigger, say(" and "), ...its, ...others, say(", ")];
}

/** The comparisons if all must be met and the first is on the incoming amount; otherwise null. */
function leadingIncoming(
  conditions: RuleConditions,
): { first: RuleComparison; others: RuleComparison[] } | null {
  const members: readonly unknown[] = "all" in conditions ? conditions.all : conditions.any;
  if (!("all" in conditions) && members.length > 1) return null;
  const nodes = "all" in conditions ? conditions.all : conditions.any;
  const comparisons = nodes.flatMap((node) => ("fact" in node ? [node] : []));
  const [first, ...others] = comparisons;
  if (comparisons.length !== nodes.length || first?.fact !== "INCOMING_AMOUNT") return null;
  return { first, others };
}

function laterOpening(conditions: RuleConditions | null, setting: ClauseSetting): Phrase[] {
  if (conditions === null) return [say(" Otherwise, ")];
  return [say(" Otherwise, if "), ...conditionWords(conditions, setting), say(", ")];
}

/** Up to this many consecutive groups with one action each share a sentence. */
const GROUPS_A_SENTENCE = 3;

function stepPhrases(step: Step, setting: ClauseSetting): Phrase[] {
  const stated: Stated = { sourceAccountId: arrivalAccount(setting), base: null, hasBegun: false };
  const groups = groupsOf(step.actions).map((group) => {
    // After earlier groups, a share has a different base.
    stated.base = null;
    return group.map(({ action }) => actionClause(action, setting, stated));
  });
  const phrases: Phrase[] = [];
  let inSentence = 0;
  for (const [index, group] of groups.entries()) {
    const words = joinClauses(group);
    const isSingle = group.length === 1 && (index < 2 || groups[index - 1]?.length === 1);
    if (index === 0) phrases.push(...words);
    else if (index > 1 && isSingle && inSentence < GROUPS_A_SENTENCE) phrases.push(say(", then "), ...words);
    else {
      phrases.push(say(". Then "), ...words);
      inSentence = 0;
    }
    inSentence += 1;
  }
  return [...phrases, say(".")];
}

/** The account that the sentence just named as the source. */
function arrivalAccount({ trigger }: ClauseSetting): string | null {
  return trigger.type === "ON_FUNDS_TRANSFERRED" ? trigger.accountId : null;
}

function neverReached(count: number): string {
  if (count === 0) return "";
  if (count === 1) return "The step after that is never reached.";
  return `The ${numberWords(count)} steps after that are never reached.`;
}

/** What happens if money is short; actions that accept less say so in their clause. */
function shortfallWords(actions: readonly RuleAction[]): string {
  const strict = actions.some(({ type, upTo }) => isStrict(type) && !upTo);
  const fills = actions.some(({ type }) => type === "TOP_UP");
  const marked = actions.some(({ type, upTo }) => isStrict(type) && upTo);
  if (!strict && !fills) return "";
  const filling = "filling up takes what is available";
  if (!strict) return capitalized(`${filling}.`);
  const others = fills || marked ? "any other transfer stops the run" : "it stops";
  return `If there isn’t enough money, ${fills ? `${filling} and ` : ""}${others}.`;
}

/** One action as a clause of the rule's sentence; a predicate shared with the previous clause is omitted. */
interface Clause {
  verb: "send" | "fill" | "pay" | "put";
  phrases: Phrase[];
}

/** What the sentence has named so far, so that it is repeated only on a change. */
interface Stated {
  /** Null before a source was named. */
  sourceAccountId: string | null;
  /** The base of earlier percentages; null before the first one. */
  base: string | null;
  /** Whether an earlier action exists; otherwise there is no "rest". */
  hasBegun: boolean;
}

interface ClauseSetting extends WordsSetting {
  limits: RuleDefinition["limits"];
  /** Limits that several actions share. */
  sharedLimitIds: ReadonlySet<string>;
}

/** Words one action and updates `stated`. */
function actionClause(action: RuleAction, setting: ClauseSetting, stated: Stated): Clause {
  const clause = bareClause(action, setting, stated);
  stated.sourceAccountId = action.sourceAccountId;
  stated.hasBegun = true;
  clause.phrases.push(...limitPhrases(action, setting));
  return clause;
}

function bareClause(action: RuleAction, setting: ClauseSetting, stated: Stated): Clause {
  const source = accountName(setting.names, action.sourceAccountId);
  const from = stated.sourceAccountId === action.sourceAccountId ? "" : ` from ${source}`;
  const orLess = action.upTo && isStrict(action.type) ? " (or what is available)" : "";
  const to = joinWords(destinationsOf(action).map((id) => accountName(setting.names, id)));
  const send = (...phrases: Phrase[]): Clause => ({ verb: "send", phrases: [...phrases, say(` to ${to}`)] });
  const pay = (what: string, on: string): Clause => ({
    verb: "pay",
    phrases: [key(what), say(`${orLess} ${on} ${to}${from}`)],
  });
  switch (action.type) {
    case "FIXED":
      return send(key(formatCents(action.amountInCents)), say(`${orLess}${from}`));
    case "PERCENTAGE":
      return shareClause(action, setting, stated, orLess);
    case "TOP_UP":
      return {
        verb: "fill",
        phrases: [say(`${to} up to `), key(formatCents(action.amountInCents)), say(from)],
      };
    case "ROUND_DOWN":
      return send(key(`everything above a multiple of ${formatCents(action.amountInCents)} in ${source}`));
    case "REMAINDER":
      if (action.keepInCents === 0) {
        return stated.hasBegun
          ? send(key("the rest"), say(` of ${source}`))
          : send(key(`everything in ${source}`));
      }
      return send(key(`everything above ${formatCents(action.keepInCents)} in ${source}`));
    case "NEXT_PAYMENT_MINIMUM":
      return pay("the next minimum payment", "of");
    case "LAST_STATEMENT_BALANCE":
      return pay("the last statement", "of");
    case "TOTAL_AMOUNT_DUE":
      return pay("the full amount owed", "on");
    case "PERCENTAGE_OF_LIABILITY":
      return pay(`${percentWords(action.percentage)} of the amount owed`, "on");
    case "SNOWBALL":
    case "AVALANCHE":
      return {
        verb: "put",
        phrases: [
          key(formatCents(action.amountInCents)),
          say(`${orLess}${from} toward ${to}`),
          ...orderPhrases(action),
        ],
      };
  }
}

/** The base is stated with the first share of a sentence and when it changes: "27% of the deposit". */
function shareClause(
  action: Extract<RuleAction, { type: "PERCENTAGE" }>,
  setting: ClauseSetting,
  stated: Stated,
  orLess: string,
): Clause {
  const source = accountName(setting.names, action.sourceAccountId);
  const to = ` to ${accountName(setting.names, action.destinationAccountId)}`;
  const share = key(percentWords(action.percentage));
  const isOfBalance = action.of === "SOURCE_BALANCE";
  const base = isOfBalance ? `balance ${action.sourceAccountId}` : "incoming";
  const isBaseStated = stated.base === base;
  stated.base = base;
  if (isOfBalance) {
    const words = isBaseStated ? "" : ` of the available balance of ${source}`;
    return { verb: "send", phrases: [share, say(`${words}${orLess}${to}`)] };
  }
  const isNamed =
    setting.trigger.type === "SCHEDULED" && setting.trigger.accountId === action.sourceAccountId;
  const isSameSource = isNamed || stated.sourceAccountId === action.sourceAccountId;
  // "50% from Operating" alone would read as a share of Operating, so the base is repeated.
  const words = isBaseStated && isSameSource ? "" : ` of ${incomingBaseWords(setting)}`;
  const from = isSameSource ? "" : `, taken from ${source},`;
  return { verb: "send", phrases: [share, say(`${words}${from}${orLess}${to}`)] };
}

/** The incoming amount as the base of shares. */
function incomingBaseWords(setting: ClauseSetting): string {
  return setting.trigger.type === "ON_FUNDS_TRANSFERRED" ? "the deposit" : incomingWords(setting);
}

function orderPhrases(action: Extract<RuleAction, { type: "SNOWBALL" | "AVALANCHE" }>): Phrase[] {
  if (new Set(action.destinationAccountIds).size === 1) return [];
  const order = action.type === "SNOWBALL" ? "smallest debt first" : "highest interest rate first";
  return [say(" ("), key(order), say(")")];
}

function limitPhrases(action: RuleAction, { limits, sharedLimitIds }: ClauseSetting): Phrase[] {
  const limit = findLimit(limits, action.limitId);
  if (!limit) return [];
  const words = key(limitWords(limit));
  if (limit.period === "TRANSFER" || !sharedLimitIds.has(limit.id)) return [say(" but at most "), words];
  // Numbers distinguish shared limits of the same amount.
  const shared = limits.filter(({ id, period }) => period !== "TRANSFER" && sharedLimitIds.has(id));
  const number = shared.length > 1 ? ` ${shared.indexOf(limit) + 1}` : "";
  return [say(` within the shared limit${number} of `), words];
}

/** Clauses as one list: `send 27% to Taxes, 30% to Payroll, and pay the last statement of Summit Visa`. */
function joinClauses(clauses: readonly Clause[]): Phrase[] {
  const isOneVerb = clauses.every(({ verb }) => verb === clauses[0]?.verb);
  const comma = clauses.length > 2 || !isOneVerb ? "," : "";
  return clauses.flatMap(({ verb, phrases }, index) => {
    const before = clauses[index - 1];
    const spoken = before?.verb === verb ? phrases : [say(`${verb} `), ...phrases];
    if (!before) return spoken;
    return [say(index === clauses.length - 1 ? `${comma} and ` : ", "), ...spoken];
  });
}
