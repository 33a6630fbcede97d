import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames, Phrase } from "@/lib/contract/views/rule-parts";
import type { RuleComparison, RuleConditions } from "@/lib/engine/check-conditions";
import { actionClause, type ClauseSetting, joinClauses, type Said } from "@/lib/engine/words/action-clause";
import { isStrict } from "@/lib/engine/words/action-words";
import { comparisonWords, conditionWords } from "@/lib/engine/words/condition-words";
import { numberWords } from "@/lib/engine/words/number-words";
import { asSentence, capitalized, say } from "@/lib/engine/words/phrases";
import { groupsOf } from "@/lib/engine/words/step-actions";
import { triggerWords } from "@/lib/engine/words/trigger-words";

type ToldRule = Pick<RuleDefinition, "trigger" | "steps" | "limits">;
type Step = RuleDefinition["steps"][number];

/**
 * A whole rule as one paragraph: "When money arrives in **Client payments** and it is **$1,000.00 or more**, send **27%**
 * of what arrived to Taxes …" (design, section 3, "Rule sentence"). Everything that decides what moves is in
 * it; ids and the words of the API are not.
 */
export function ruleSentence(rule: ToldRule, names: AccountNames): Phrase[] {
  const setting: ClauseSetting = {
    trigger: rule.trigger,
    names,
    limits: rule.limits,
    sharedLimitIds: sharedLimits(rule),
  };
  const reached = reachedSteps(rule.steps);
  const told = reached.flatMap((step, index) => [
    ...(index === 0 ? firstOpening(step.conditions, setting) : laterOpening(step.conditions, setting)),
    ...stepPhrases(step, setting),
  ]);
  const isOpen = reached.every(({ conditions }) => conditions !== null);
  const closing = isOpen ? "Otherwise nothing moves." : neverReached(rule.steps.length - reached.length);
  return asSentence(closing === "" ? told : [...told, say(` ${closing}`)]);
}

/**
 * What becomes of a run where the money is short, which every rule has to say and no rule is about: for small print under
 * its sentence.
 */
export function shortageSentence({ steps }: Pick<ToldRule, "steps">): string {
  const shortfall = shortfallWords(reachedSteps(steps).flatMap(({ actions }) => actions));
  const floors = "No account goes below its floor, unless a person approves the run.";
  return shortfall === "" ? floors : `${shortfall} ${floors}`;
}

/** What stands behind a step that always runs is never reached. */
function reachedSteps(steps: readonly Step[]): readonly Step[] {
  const lastReached = steps.findIndex(({ conditions }) => conditions === null);
  return lastReached === -1 ? steps : steps.slice(0, lastReached + 1);
}

function sharedLimits({ steps }: ToldRule): ReadonlySet<string> {
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

/** The comparisons of conditions that all have to hold and begin with the incoming amount; null of any others. */
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

/** Groups that follow each other with one action each share a sentence, up to this many. */
const GROUPS_A_SENTENCE = 3;

function stepPhrases(step: Step, setting: ClauseSetting): Phrase[] {
  const said: Said = { sourceAccountId: arrivalAccount(setting), base: null, hasBegun: false };
  const groups = groupsOf(step.actions).map((group) => {
    // What a share is of is another amount after the groups before it.
    said.base = null;
    return group.map(({ action }) => actionClause(action, setting, said));
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

/** The account that the sentence has just named as where the money is. */
function arrivalAccount({ trigger }: ClauseSetting): string | null {
  return trigger.type === "ON_FUNDS_TRANSFERRED" ? trigger.accountId : null;
}

function neverReached(count: number): string {
  if (count === 0) return "";
  if (count === 1) return "The step after that is never reached.";
  return `The ${numberWords(count)} steps after that are never reached.`;
}

/** What becomes of a run where the money is short; what may take less has said so in its clause. */
function shortfallWords(actions: readonly RuleAction[]): string {
  const strict = actions.some(({ type, upTo }) => isStrict(type) && !upTo);
  const fills = actions.some(({ type }) => type === "TOP_UP");
  const marked = actions.some(({ type, upTo }) => isStrict(type) && upTo);
  if (!strict && !fills) return "";
  const filling = "filling up takes what is there";
  if (!strict) return capitalized(`${filling}.`);
  const others = fills || marked ? "any other transfer stops the run" : "the run stops";
  return `Where the money is short, ${fills ? `${filling} and ` : ""}${others}.`;
}
