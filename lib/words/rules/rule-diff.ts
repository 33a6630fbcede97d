import type { RuleAction } from "@/lib/contract/rules/action";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { actionWords, findLimit, groupsOf, limitWords } from "@/lib/words/rules/action-words";
import { conditionLabel } from "@/lib/words/rules/condition-words";
import { accountName } from "@/lib/words/rules/number-words";
import { capitalized, joinWords, phrasesText } from "@/lib/words/rules/phrases";
import { triggerWords } from "@/lib/words/rules/trigger-words";

/** A changed part of a rule, in words. */
export interface RulePartChange {
  /** The part: `Step 1`, an account's name. */
  part: string;
  /** Null for a new part. */
  before: string | null;
  /** Null for a removed part. */
  after: string | null;
}

type Step = RuleDefinition["steps"][number];

interface Reported {
  rule: RuleDefinition;
  names: AccountNames;
}

/**
 * The differences between two versions of a rule, part by part, in the order of the rule. Different definitions never
 * appear equal: changes without words of their own are listed as details.
 */
export function diffRules(
  beforeRule: RuleDefinition,
  afterRule: RuleDefinition,
  names: AccountNames,
): RulePartChange[] {
  const before: Reported = { rule: beforeRule, names };
  const after: Reported = { rule: afterRule, names };
  const changes = [
    ...changeOf("Name", beforeRule.name, afterRule.name),
    ...changeOf("Description", beforeRule.description, afterRule.description),
    ...changeOf("Trigger", triggerText(before), triggerText(after)),
    ...diffSteps(before, after),
    ...diffLimits(beforeRule, afterRule),
  ];
  if (changes.length > 0 || JSON.stringify(beforeRule) === JSON.stringify(afterRule)) return changes;
  return [{ part: "Details", before: null, after: "A change that is only visible in JSON." }];
}

function changeOf(part: string, before: string | null, after: string | null): RulePartChange[] {
  return before === after ? [] : [{ part, before, after }];
}

function triggerText({ rule, names }: Reported): string {
  const words = capitalized(phrasesText(triggerWords(rule.trigger, names)));
  // Only a deposit trigger's words name its account.
  const from =
    rule.trigger.type === "ON_FUNDS_TRANSFERRED"
      ? ""
      : `, from ${accountName(names, rule.trigger.accountId)}`;
  return `${words}${from}`;
}

function diffSteps(before: Reported, after: Reported): RulePartChange[] {
  const count = Math.max(before.rule.steps.length, after.rule.steps.length);
  return Array.from({ length: count }, (_, index) => {
    const one = before.rule.steps[index];
    const other = after.rule.steps[index];
    const part = `Step ${index + 1}`;
    if (!one || !other) {
      const text = (step: Step | undefined, reported: Reported) =>
        step ? stepText(step, index, reported) : null;
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

function conditionText(step: Step, { rule, names }: Reported): string {
  return conditionLabel(step.conditions, { trigger: rule.trigger, names });
}

/** A whole step in one sentence, if there is none to compare it with. */
function stepText(step: Step, index: number, reported: Reported): string {
  const actions = groupsOf(step.actions)
    .flat()
    .map(
      ({ action }) =>
        `${actionWords(action, reported.rule.limits)} to ${destinationText(action, reported.names)}`,
    );
  const condition = step.conditions === null ? null : conditionText(step, reported);
  if (index === 0) return `${condition ?? "Always"}: ${joinWords(actions)}`;
  return `Otherwise${condition === null ? "" : `, ${condition}`}: ${joinWords(actions)}`;
}

function destinationText(action: RuleAction, names: AccountNames): string {
  return joinWords(destinationsOf(action).map((id) => accountName(names, id)));
}

/** Matches actions of two versions by destination, then by source. */
function diffActions(one: Step, other: Step, before: Reported, after: Reported): RulePartChange[] {
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

/** The most likely earlier action: same destinations, source and kind, otherwise same destinations. */
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

/** @param beside the compared action: common details that are usually omitted stay omitted */
function actionText(action: RuleAction, { rule, names }: Reported, beside: RuleAction | null): string {
  const from =
    beside && beside.sourceAccountId === action.sourceAccountId
      ? ""
      : ` from ${accountName(names, action.sourceAccountId)}`;
  const isLabeled = beside !== null && beside.description !== action.description;
  const label = action.description === null ? ", without a label" : `, as “${action.description}”`;
  return `${actionWords(action, rule.limits)}${from}${isLabeled ? label : ""}`;
}

/** Groups run one after the other, so their order matters. */
function diffOrder(one: Step, other: Step, before: Reported, after: Reported): RulePartChange[] {
  const text = (step: Step, { names }: Reported) =>
    groupsOf(step.actions)
      .map((group) => joinWords(group.map(({ action }) => destinationText(action, names))))
      .join(", then ");
  return changeOf("order", text(one, before), text(other, after));
}

/**
 * Limit changes that the actions' words do not show: an unused limit, and a limit replaced by another of the same amount,
 * whose count starts from zero.
 */
function diffLimits(before: RuleDefinition, after: RuleDefinition): RulePartChange[] {
  const ids = [...new Set([...before.limits, ...after.limits].map(({ id }) => id))];
  return ids.flatMap((id) => {
    const was = findLimit(before.limits, id);
    const is = findLimit(after.limits, id);
    const isReported = (!was || isInWords(was, before, after)) && (!is || isInWords(is, after, before));
    return isReported
      ? []
      : changeOf(`Limit ${id}`, was ? limitWords(was) : null, is ? limitWords(is) : null);
  });
}

/** Whether an action of `rule` shows the limit in words that no other limit in `beside` shares. */
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
