import type { RuleAction } from "@/lib/contract/rules/action";
import { destinationsOf } from "@/lib/contract/rules/destinations-of";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/views/rule-parts";
import { actionWords, findLimit, groupsOf, limitWords } from "@/lib/engine/words/action-words";
import { conditionLabel } from "@/lib/engine/words/condition-words";
import { accountName } from "@/lib/engine/words/number-words";

import { capitalized, joinWords, phrasesText } from "@/lib/engine/words/phrases";

import { triggerWords } from "@/lib/engine/words/trigger-words";

/** One part of a rule that is not as it was, in words. */
export interface RulePartChange {
  /** What it is about: `Step 1`, an account's name. */
  part: string;
  /** Null: it is new. */
  before: string | null;
  /** Null: it is gone. */
  after: string | null;
}

type Step = RuleDefinition["steps"][number];

interface Told {
  rule: RuleDefinition;
  names: AccountNames;
}

/**
 * What one version of a rule says differently from another, part by part, in the order of the rule. Two definitions that
 * differ never come out as equal: what has no words of its own is told as such.
 */
export function diffRules(
  beforeRule: RuleDefinition,
  afterRule: RuleDefinition,
  names: AccountNames,
): RulePartChange[] {
  const before: Told = { rule: beforeRule, names };
  const after: Told = { rule: afterRule, names };
  const changes = [
    ...changeOf("Name", beforeRule.name, afterRule.name),
    ...changeOf("Description", beforeRule.description, afterRule.description),
    ...changeOf("Trigger", triggerText(before), triggerText(after)),
    ...diffSteps(before, after),
    ...diffLimits(beforeRule, afterRule),
  ];
  if (changes.length > 0 || JSON.stringify(beforeRule) === JSON.stringify(afterRule)) return changes;
  return [{ part: "Details", before: null, after: "Something that has no words here. See it as JSON." }];
}

function changeOf(part: string, before: string | null, after: string | null): RulePartChange[] {
  return before === after ? [] : [{ part, before, after }];
}

function triggerText({ rule, names }: Told): string {
  const words = capitalized(phrasesText(triggerWords(rule.trigger, names)));
  // Only an arrival names its account in its words.
  const from =
    rule.trigger.type === "ON_FUNDS_TRANSFERRED"
      ? ""
      : `, from ${accountName(names, rule.trigger.accountId)}`;
  return `${words}${from}`;
}

function diffSteps(before: Told, after: Told): RulePartChange[] {
  const count = Math.max(before.rule.steps.length, after.rule.steps.length);
  return Array.from({ length: count }, (_, index) => {
    const one = before.rule.steps[index];
    const other = after.rule.steps[index];
    const part = `Step ${index + 1}`;
    if (!one || !other) {
      const text = (step: Step | undefined, told: Told) => (step ? stepText(step, index, told) : null);
      return changeOf(part, text(one, before), text(other, after));
    }
    const isOnly = count === 1;
    const prefix = isOnly ? "" : `${part}, `;
    return [
      ...changeOf(part, conditionText(one, before), conditionText(other, after)),
      ...diffActions(one, other, before, after).map((change) => ({
        ...change,
        part: capitalized(`${prefix}${change.part}`),
      })),
    ];
  }).flat();
}

function conditionText(step: Step, { rule, names }: Told): string {
  return conditionLabel(step.conditions, { trigger: rule.trigger, names });
}

/** A whole step in one sentence, where there is none to compare it with. */
function stepText(step: Step, index: number, told: Told): string {
  const actions = groupsOf(step.actions)
    .flat()
    .map(
      ({ action }) => `${actionWords(action, told.rule.limits)} to ${destinationText(action, told.names)}`,
    );
  const condition = step.conditions === null ? null : conditionText(step, told);
  if (index === 0) return `${condition ?? "Always"}: ${joinWords(actions)}`;
  return `Otherwise${condition === null ? "" : `, ${condition}`}: ${joinWords(actions)}`;
}

function destinationText(action: RuleAction, names: AccountNames): string {
  return joinWords(destinationsOf(action).map((id) => accountName(names, id)));
}

/** What joins an action of one version to that of another: where its money goes, then where it comes from. */
function diffActions(one: Step, other: Step, before: Told, after: Told): RulePartChange[] {
  const left = [...one.actions];
  const pairs = other.actions.map((action) => {
    const index = closest(action, left);
    return { action, was: index === -1 ? null : (left.splice(index, 1)[0] ?? null) };
  });
  const changes = pairs.flatMap(({ action, was }) =>
    changeOf(
      destinationText(action, after.names),
      was && actionText(was, before, action),
      actionText(action, after, was),
    ),
  );
  const gone = left.flatMap((action) =>
    changeOf(destinationText(action, before.names), actionText(action, before, null), null),
  );
  const isSameSet = left.length === 0 && pairs.every(({ was }) => was !== null);
  return [...changes, ...gone, ...(isSameSet ? diffOrder(one, other, before, after) : [])];
}

/** The action that it most likely was: the same destinations, source and kind, else the same destinations. */
function closest(action: RuleAction, candidates: readonly RuleAction[]): number {
  const to = destinationsOf(action).join();
  const reaches = (candidate: RuleAction) => destinationsOf(candidate).join() === to;
  const exact = candidates.findIndex(
    (candidate) =>
      reaches(candidate) &&
      candidate.type === action.type &&
      candidate.sourceAccountId === action.sourceAccountId,
  );
  return exact === -1 ? candidates.findIndex(reaches) : exact;
}

/** @param beside what it is compared with: what both have in common and is not usually told goes unsaid */
function actionText(action: RuleAction, { rule, names }: Told, beside: RuleAction | null): string {
  const from =
    beside && beside.sourceAccountId === action.sourceAccountId
      ? ""
      : ` from ${accountName(names, action.sourceAccountId)}`;
  const isLabelled = beside !== null && beside.description !== action.description;
  const label = action.description === null ? ", without a label" : `, as “${action.description}”`;
  return `${actionWords(action, rule.limits)}${from}${isLabelled ? label : ""}`;
}

/** Groups run one after the other, so the order is part of what a rule does. */
function diffOrder(one: Step, other: Step, before: Told, after: Told): RulePartChange[] {
  const text = (step: Step, { names }: Told) =>
    groupsOf(step.actions)
      .map((group) => joinWords(group.map(({ action }) => destinationText(action, names))))
      .join(", then ");
  return changeOf("order", text(one, before), text(other, after));
}

/**
 * What the actions' own words do not tell of limits: one that no action has, and one that took the place of another of
 * the same size, for under another id it begins to count anew.
 */
function diffLimits(before: RuleDefinition, after: RuleDefinition): RulePartChange[] {
  const ids = [...new Set([...before.limits, ...after.limits].map(({ id }) => id))];
  return ids.flatMap((id) => {
    const was = findLimit(before.limits, id);
    const is = findLimit(after.limits, id);
    const isTold = (!was || isInWords(was, before, after)) && (!is || isInWords(is, after, before));
    return isTold ? [] : changeOf(`Limit ${id}`, was ? limitWords(was) : null, is ? limitWords(is) : null);
  });
}

/** Whether an action of `rule` says it, in words that no limit of another id in `beside` has. */
function isInWords(
  limit: RuleDefinition["limits"][number],
  rule: RuleDefinition,
  beside: RuleDefinition,
): boolean {
  const isUsed = rule.steps.some((step) => step.actions.some((action) => action.limitId === limit.id));
  const isDoubled = beside.limits.some(
    (other) => other.id !== limit.id && limitWords(other) === limitWords(limit),
  );
  return isUsed && !isDoubled;
}
