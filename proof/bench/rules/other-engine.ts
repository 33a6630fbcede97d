import { Engine, type TopLevelCondition } from "json-rules-engine";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RuleComparison, RuleConditions } from "@/lib/engine/check-conditions";

type OtherComparison = { fact: string; operator: string; value: unknown };
type OtherNode = { all: OtherNode[] } | { any: OtherNode[] } | OtherComparison;
type Node = RuleConditions | Extract<RuleConditions, { all: unknown }>["all"][number];

/** `json-rules-engine` with one rule of these conditions, made once, as its documentation advises. */
export function otherEngine(conditions: RuleConditions): Engine {
  return new Engine([{ conditions: toOtherGroup(conditions), event: { type: "holds" } }]);
}

function toOtherGroup(conditions: RuleConditions): TopLevelCondition {
  return "all" in conditions
    ? { all: conditions.all.map((member) => toOther(member)) }
    : { any: conditions.any.map((member) => toOther(member)) };
}

function toOther(node: Node): OtherNode {
  if ("all" in node) return { all: node.all.map((member: Node) => toOther(member)) };
  if ("any" in node) return { any: node.any.map((member: Node) => toOther(member)) };
  const value = "value" in node ? node.value : { fact: nameOf(node.valueFact) };
  return { fact: nameOf(node), operator: OPERATORS[node.operator], value };
}

const OPERATORS: Record<RuleComparison["operator"], string> = {
  EQUAL: "equal",
  NOT_EQUAL: "notEqual",
  GREATER_THAN: "greaterThan",
  GREATER_THAN_OR_EQUAL: "greaterThanInclusive",
  LESS_THAN: "lessThan",
  LESS_THAN_OR_EQUAL: "lessThanInclusive",
};

function nameOf(reference: { fact: string; accountId?: string }): string {
  return reference.accountId === undefined ? reference.fact : `${reference.fact} ${reference.accountId}`;
}

/** The same facts in the form that it reads fastest: flat and constant, the days of week and month worked out. */
export function otherFacts(facts: RuleFacts): Record<string, number | null> {
  const flat: Record<string, number | null> = {
    INCOMING_AMOUNT: facts.incomingAmountInCents,
    DAY_OF_MONTH: Number(facts.date.slice(8)),
    DAY_OF_WEEK: new Date(facts.date).getUTCDay() || 7,
  };
  for (const [accountId, account] of Object.entries(facts.accounts)) {
    flat[`BALANCE ${accountId}`] = account.balanceInCents;
    flat[`AVAILABLE_BALANCE ${accountId}`] = account.availableInCents;
  }
  return flat;
}
