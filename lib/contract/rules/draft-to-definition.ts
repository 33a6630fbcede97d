import { schemaWords } from "@/lib/contract/input/schema-words";
import { comparisonProblems } from "@/lib/contract/rules/comparison-count";
import {
  ACCOUNT_FACTS,
  type ActionDraft,
  type ActionType,
  type ComparisonDraft,
  type ConditionDraft,
  type GroupDraft,
  MAXIMUM_DEFINITION_LENGTH,
  type RuleDraft,
  type ScheduleDraft,
} from "@/lib/contract/rules/draft";
import { type DraftProblem, issueProblem, missingParts } from "@/lib/contract/rules/draft-problems";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";

export type DraftAsRule =
  | { kind: "RULE"; definition: RuleDefinition }
  /** Not a rule yet; each problem names its part. */
  | { kind: "INCOMPLETE"; problems: DraftProblem[] };

/** The rule that a draft describes, or its problems, in the order of the editor. */
export function toDefinition(draft: RuleDraft): DraftAsRule {
  const candidate = toCandidate(draft);
  const missing = missingParts(draft);
  const parsed = ruleDefinitionSchema.safeParse(candidate, { error: schemaWords });
  const named = new Set(missing.map(({ part }) => part));
  const problems = [...missing];
  for (const issue of parsed.error?.issues ?? []) {
    const problem = issueProblem(draft, issue);
    // One sentence per part: a missing value also has the wrong type.
    if (named.has(problem.part)) continue;
    named.add(problem.part);
    problems.push(problem);
  }
  for (const { message } of comparisonProblems(candidate)) {
    problems.push({ part: "steps", message: `The steps ${message}.` });
  }
  if (
    parsed.success &&
    problems.length === 0 &&
    JSON.stringify(candidate).length > MAXIMUM_DEFINITION_LENGTH
  ) {
    problems.push({
      part: "name",
      message: `A rule can have at most ${MAXIMUM_DEFINITION_LENGTH / 1024} KiB as JSON. Split it into two.`,
    });
  }
  return parsed.success && problems.length === 0
    ? { kind: "RULE", definition: parsed.data }
    : { kind: "INCOMPLETE", problems };
}

/** The draft in the shape of a rule, with null for values not chosen yet: shown in the JSON view. */
export function toCandidate(draft: RuleDraft) {
  return {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    trigger: toTrigger(draft),
    steps: draft.steps.map((step) => ({
      conditions: step.conditions && toConditions(step.conditions),
      actions: step.actions.map(toAction),
    })),
    limits: draft.limits,
  };
}

function toTrigger({ trigger }: RuleDraft) {
  const { type, accountId } = trigger;
  if (type === "SCHEDULED") return { type, accountId, schedule: toSchedule(trigger.schedule) };
  if (type === "MANUAL") return { type, accountId };
  return { type, accountId, minimumAmountInCents: trigger.minimumAmountInCents };
}

const DAYS_NAMED: Partial<Record<ScheduleDraft["frequency"], number>> = { TWICE_A_MONTH: 2, MONTHLY: 1 };

function toSchedule(schedule: ScheduleDraft) {
  const { frequency } = schedule;
  const daysNamed = DAYS_NAMED[frequency];
  return {
    ...schedule,
    dayOfWeek: frequency === "WEEKLY" || frequency === "EVERY_OTHER_WEEK" ? schedule.dayOfWeek : null,
    daysOfMonth: daysNamed === undefined ? null : schedule.daysOfMonth.slice(0, daysNamed),
    cron: frequency === "CRON" ? schedule.cron : null,
  };
}

/** Plain JSON, whose depth the draft's own schema bounds. */
function toConditions(group: GroupDraft): Record<string, unknown> {
  const members = group.members.map(toCondition);
  return group.match === "ALL" ? { all: members } : { any: members };
}

function toCondition(node: ConditionDraft): Record<string, unknown> {
  return node.kind === "GROUP" ? toConditions(node) : toComparison(node);
}

function toComparison(node: ComparisonDraft): Record<string, unknown> {
  const left = { ...toFact(node.fact, node.accountId), operator: node.operator };
  if (node.fact === "DATE") return { ...left, value: node.date };
  if (node.against === "VALUE") return { ...left, value: node.value };
  return { ...left, valueFact: toFact(node.otherFact, node.otherAccountId) };
}

export function isAccountFact(fact: string): boolean {
  return ACCOUNT_FACTS.some((candidate) => candidate === fact);
}

function toFact(fact: string, accountId: string | null) {
  return isAccountFact(fact) ? { fact, accountId } : { fact };
}

export function isOverDebts(type: ActionType): boolean {
  return type === "SNOWBALL" || type === "AVALANCHE";
}

function toAction(action: ActionDraft) {
  const { type, sourceAccountId, group, upTo, limitId, description } = action;
  return {
    type,
    sourceAccountId,
    ...(isOverDebts(type)
      ? { destinationAccountIds: action.destinationAccountIds }
      : { destinationAccountId: action.destinationAccountIds[0] ?? null }),
    group,
    ...amountOf(action),
    upTo,
    limitId,
    description: description?.trim() || null,
  };
}

function amountOf(action: ActionDraft) {
  switch (action.type) {
    case "FIXED":
    case "TOP_UP":
    case "ROUND_DOWN":
    case "SNOWBALL":
    case "AVALANCHE":
      return { amountInCents: action.amountInCents };
    case "PERCENTAGE":
      return { percentage: action.percentage, of: action.of };
    case "PERCENTAGE_OF_LIABILITY":
      return { percentage: action.percentage };
    case "REMAINDER":
      return { keepInCents: action.keepInCents };
    default:
      return {};
  }
}
