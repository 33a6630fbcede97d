import type { RuleAction } from "@/lib/contract/rules/action";
import { destinationsOf } from "@/lib/contract/rules/definition-parts";
import {
  type ActionDraft,
  type ComparisonDraft,
  type ConditionDraft,
  type GroupDraft,
  MAXIMUM_INSTANT_LENGTH,
  type RuleDraft,
  type ScheduleDraft,
} from "@/lib/contract/rules/draft";
import type { RuleDefinition } from "@/lib/contract/rules/rule";

type Conditions = NonNullable<RuleDefinition["steps"][number]["conditions"]>;
type FirstMember = Conditions extends { all: (infer M)[] } | { any: (infer M)[] } ? M : never;
type SecondMember = FirstMember extends infer M
  ? M extends { all: (infer N)[] } | { any: (infer N)[] }
    ? N
    : never
  : never;
type Node = Conditions | FirstMember | SecondMember;
type Comparison = Exclude<Node, { all: unknown } | { any: unknown }>;

/** Numbers the parts of a draft. */
export type NextKey = () => number;

function countKeys(from = 1): NextKey {
  let next = from;
  return () => next++;
}

/** Defaults for a trigger that is not scheduled. @param timeZone IANA, the organization's */
export function emptySchedule(timeZone: string): ScheduleDraft {
  return {
    frequency: "MONTHLY",
    startAt: null,
    dayOfWeek: 5,
    daysOfMonth: [1],
    time: "09:00",
    cron: "0 9 * * 1",
    timeZone,
    onNonBankingDay: "SAME_DAY",
  };
}

/**
 * A rule opened in the editor. Actions are sorted by group, the order in which they run, which does not change what
 * they do; everything else stays as is.
 * @param timeZone default if the member chooses a schedule
 */
export function toDraft(definition: RuleDefinition, timeZone: string, reason = ""): RuleDraft {
  const nextKey = countKeys();
  const { trigger } = definition;
  return {
    name: definition.name,
    description: definition.description ?? "",
    trigger: {
      type: trigger.type,
      accountId: trigger.accountId,
      minimumAmountInCents: trigger.type === "ON_FUNDS_TRANSFERRED" ? trigger.minimumAmountInCents : null,
      schedule:
        trigger.type === "SCHEDULED" ? toScheduleDraft(trigger.schedule, timeZone) : emptySchedule(timeZone),
    },
    steps: definition.steps.map((step) => ({
      key: nextKey(),
      conditions: step.conditions && toGroup(step.conditions, nextKey),
      actions: step.actions
        .map((action) => toActionDraft(action, nextKey()))
        .sort((one, other) => one.group - other.group),
    })),
    limits: definition.limits.map((limit) => ({ ...limit })),
    reason,
  };
}

type Schedule = Extract<RuleDefinition["trigger"], { type: "SCHEDULED" }>["schedule"];

/** Digits of a fraction may go on; a draft holds milliseconds then. */
const toShortInstant = (text: string) => new Date(text).toISOString();

function toScheduleDraft(schedule: Schedule, timeZone: string): ScheduleDraft {
  const empty = emptySchedule(timeZone);
  return {
    frequency: schedule.frequency,
    startAt:
      schedule.startAt.length > MAXIMUM_INSTANT_LENGTH ? toShortInstant(schedule.startAt) : schedule.startAt,
    dayOfWeek: schedule.dayOfWeek ?? empty.dayOfWeek,
    daysOfMonth: schedule.daysOfMonth ? [...new Set(schedule.daysOfMonth)] : empty.daysOfMonth,
    time: schedule.time,
    cron: schedule.cron ?? empty.cron,
    timeZone: schedule.timeZone,
    onNonBankingDay: schedule.onNonBankingDay,
  };
}

function toActionDraft(action: RuleAction, key: number): ActionDraft {
  return {
    key,
    type: action.type,
    sourceAccountId: action.sourceAccountId,
    destinationAccountIds: [...destinationsOf(action)],
    amountInCents: "amountInCents" in action ? action.amountInCents : null,
    percentage: "percentage" in action ? action.percentage : null,
    of: action.type === "PERCENTAGE" ? action.of : "INCOMING_AMOUNT",
    keepInCents: action.type === "REMAINDER" ? action.keepInCents : 0,
    group: action.group,
    upTo: action.upTo,
    limitId: action.limitId,
    description: action.description,
  };
}

function toGroup(group: { all: readonly Node[] } | { any: readonly Node[] }, nextKey: NextKey): GroupDraft {
  const key = nextKey();
  return "all" in group
    ? { key, kind: "GROUP", match: "ALL", members: group.all.map((member) => toCondition(member, nextKey)) }
    : { key, kind: "GROUP", match: "ANY", members: group.any.map((member) => toCondition(member, nextKey)) };
}

/** The schema bounds the depth. */
function toCondition(node: Node, nextKey: NextKey): ConditionDraft {
  return "all" in node || "any" in node ? toGroup(node, nextKey) : toComparison(node, nextKey());
}

export function emptyComparison(key: number): ComparisonDraft {
  return {
    key,
    kind: "COMPARISON",
    fact: "INCOMING_AMOUNT",
    accountId: null,
    operator: "GREATER_THAN_OR_EQUAL",
    against: "VALUE",
    value: null,
    date: null,
    otherFact: "BALANCE",
    otherAccountId: null,
  };
}

function toComparison(node: Comparison, key: number): ComparisonDraft {
  const empty = { ...emptyComparison(key), fact: node.fact, operator: node.operator };
  if (node.fact === "DATE") return { ...empty, date: node.value };
  const left = { ...empty, accountId: "accountId" in node ? node.accountId : null };
  if ("value" in node) return { ...left, value: node.value };
  const other = node.valueFact;
  return {
    ...left,
    against: "FACT",
    otherFact: other.fact,
    otherAccountId: "accountId" in other ? other.accountId : null,
  };
}
