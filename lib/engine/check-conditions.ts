import type { z } from "zod";
import type { ruleConditionsSchema } from "@/lib/contract/rules/condition";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { ComparisonTrace, UnknownFact } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { accountOf, NeedsUnknown } from "@/lib/engine/run-facts";

export type RuleConditions = z.output<typeof ruleConditionsSchema>;
type MemberOf<Group> = Group extends { all: (infer Member)[] } | { any: (infer Member)[] } ? Member : never;
type FirstLevel = MemberOf<RuleConditions>;
type ConditionNode = RuleConditions | FirstLevel | MemberOf<FirstLevel>;
export type RuleComparison = Exclude<ConditionNode, { all: unknown } | { any: unknown }>;
type Value = number | string;

/**
 * Whether a step's conditions are met. Evaluates the members of a group in order, only until one decides the result; the
 * others may be unknown.
 * @param trace filled with every comparison in order, including those not evaluated
 * @throws NeedsUnknown
 * @throws Error if the facts lack an evaluated account: an internal error.
 */
export function checkConditions(
  conditions: RuleConditions | null,
  facts: RuleFacts,
  trace: ComparisonTrace[],
): boolean {
  return conditions === null || check(conditions, facts, "", true, trace);
}

/** @param isLookedAt false: only records it as not evaluated */
function check(
  node: ConditionNode,
  facts: RuleFacts,
  path: string,
  isLookedAt: boolean,
  trace: ComparisonTrace[],
): boolean {
  if ("all" in node) return checkGroup(node.all, false, facts, path, isLookedAt, trace);
  if ("any" in node) return checkGroup(node.any, true, facts, path, isLookedAt, trace);
  if (!isLookedAt) {
    trace.push({ path, outcome: "NOT_LOOKED_AT", leftValue: null, rightValue: null });
    return false;
  }
  const leftValue = readFact(node, facts);
  const rightValue = "value" in node ? node.value : readFact(node.valueFact, facts);
  const holds = compare(leftValue, node.operator, rightValue);
  trace.push({ path, outcome: holds ? "HOLDS" : "DOES_NOT_HOLD", leftValue, rightValue });
  return holds;
}

/** @param decisive the outcome of a member that decides the group */
function checkGroup(
  members: readonly ConditionNode[],
  decisive: boolean,
  facts: RuleFacts,
  path: string,
  isLookedAt: boolean,
  trace: ComparisonTrace[],
): boolean {
  let isOpen = isLookedAt;
  let outcome = !decisive;
  for (const [index, member] of members.entries()) {
    const memberPath = path === "" ? String(index) : `${path}.${index}`;
    const holds = check(member, facts, memberPath, isOpen, trace);
    if (isOpen && holds === decisive) {
      outcome = decisive;
      isOpen = false;
    }
  }
  return outcome;
}

function compare(left: Value, operator: RuleComparison["operator"], right: Value): boolean {
  switch (operator) {
    case "EQUAL":
      return left === right;
    case "NOT_EQUAL":
      return left !== right;
    case "GREATER_THAN":
      return left > right;
    case "GREATER_THAN_OR_EQUAL":
      return left >= right;
    case "LESS_THAN":
      return left < right;
    case "LESS_THAN_OR_EQUAL":
      return left <= right;
  }
}

type FactReference = Pick<RuleComparison, "fact"> & { accountId?: string };

function readFact(reference: FactReference, facts: RuleFacts): Value {
  switch (reference.fact) {
    case "DATE":
      return facts.date;
    case "DAY_OF_MONTH":
      return Number(facts.date.slice(8, 10));
    case "DAY_OF_WEEK":
      return dayOfWeek(facts.date);
    case "INCOMING_AMOUNT":
      return known(facts.incomingAmountInCents, { fact: "INCOMING_AMOUNT", accountId: null });
    default:
      return accountValue(reference.fact, reference.accountId ?? "", facts);
  }
}

const ACCOUNT_FIELD = {
  BALANCE: "balanceInCents",
  AVAILABLE_BALANCE: "availableInCents",
  NEXT_PAYMENT_MINIMUM: "nextPaymentMinimumInCents",
  LAST_STATEMENT_BALANCE: "lastStatementBalanceInCents",
} as const satisfies Record<string, keyof AccountFacts>;

function accountValue(fact: keyof typeof ACCOUNT_FIELD, accountId: string, facts: RuleFacts): number {
  return known(accountOf(facts, accountId)[ACCOUNT_FIELD[fact]], { fact, accountId });
}

function known(value: number | null, missing: UnknownFact): number {
  if (value === null) throw new NeedsUnknown(missing);
  return value;
}

/** 1 (Monday) to 7. */
function dayOfWeek(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** An incoming amount at which a rule changes its behavior. */
export interface IncomingThreshold {
  atInCents: number;
  /** The index of the step; null for the trigger's minimum. */
  stepIndex: number | null;
}

type Node = RuleComparison | { all: Node[] } | { any: Node[] };

/** The marks of a slider of incoming amounts: each amount once, ascending. */
export function incomingThresholds({
  trigger,
  steps,
}: Pick<RuleDefinition, "trigger" | "steps">): IncomingThreshold[] {
  const minimum = trigger.type === "ON_FUNDS_TRANSFERRED" ? (trigger.minimumAmountInCents ?? 0) : 0;
  const found: IncomingThreshold[] = minimum > 0 ? [{ atInCents: minimum, stepIndex: null }] : [];
  for (const [stepIndex, step] of steps.entries()) {
    for (const atInCents of amountsOf(step.conditions)) found.push({ atInCents, stepIndex });
  }
  const byAmount = new Map<number, IncomingThreshold>();
  for (const threshold of found) {
    if (!byAmount.has(threshold.atInCents)) byAmount.set(threshold.atInCents, threshold);
  }
  return [...byAmount.values()].sort((one, other) => one.atInCents - other.atInCents);
}

function amountsOf(conditions: RuleConditions | null): number[] {
  const walk = (node: Node): number[] => {
    if ("all" in node) return node.all.flatMap(walk);
    if ("any" in node) return node.any.flatMap(walk);
    if (node.fact !== "INCOMING_AMOUNT" || !("value" in node)) return [];
    return typeof node.value === "number" && node.value > 0 ? [node.value] : [];
  };
  return conditions === null ? [] : walk(conditions);
}
