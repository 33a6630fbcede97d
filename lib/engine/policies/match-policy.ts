import type {
  Policy,
  PolicyKind,
  PolicyRequesterKind,
  PolicyWhen,
  PolicyWindow,
  Requirement,
} from "@/lib/contract/policies/policy";
import type { TransferDirection } from "@/lib/contract/transfer";

/** What a policy decides by. */
export interface PolicyFacts {
  kind: PolicyKind;
  /** Of its destinations; `NEW` if one of them was never paid. Null: all are known, or of Sluice. */
  payee: "NEW" | "CHANGED" | null;
  /** All that it moves. */
  amountInCents: number;
  /** What was accepted or waits in these days, this one included; of several destinations, the largest. */
  windowSums: (window: PolicyWindow) => number;
  sourceAccountIds: readonly string[];
  destinationAccountIds: readonly string[];
  requester: PolicyRequester;
  directions: readonly TransferDirection[];
}

export interface PolicyRequester {
  kind: PolicyRequesterKind;
  /** Of the key, connection, member or rule. */
  id: string | null;
  /** Of the keys that this one replaced, whose names in a policy are its names too. */
  replacedIds?: readonly string[];
  /** Who does not count where the requester does not: the member, or who made the key. */
  memberIds: readonly string[];
}

export interface MatchedRequirement {
  /** Null: no rule matched. */
  ruleIndex: number | null;
  ruleName: string | null;
  /** What the rule asks for; null: no rule matched. */
  when: PolicyWhen | null;
  requirement: Requirement;
}

/** The first rule of the policy that matches, or what it says otherwise. */
export function matchPolicy(policy: Policy, facts: PolicyFacts): MatchedRequirement {
  const ruleIndex = policy.rules.findIndex(({ when }) => matches(when, facts));
  const rule = policy.rules[ruleIndex];
  if (!rule) return { ruleIndex: null, ruleName: null, when: null, requirement: policy.otherwise };
  const { name, when, ...requirement } = rule;
  return { ruleIndex, ruleName: name, when, requirement };
}

function matches(when: PolicyWhen, facts: PolicyFacts): boolean {
  const { requesters } = when;
  return (
    (when.kinds?.includes(facts.kind) ?? true) &&
    (when.payee === undefined || (facts.payee !== null && when.payee.includes(facts.payee))) &&
    names(when.sourceAccountIds, facts.sourceAccountIds) &&
    names(when.destinationAccountIds, facts.destinationAccountIds) &&
    (requesters?.kinds?.includes(facts.requester.kind) ?? true) &&
    names(requesters?.ids, requesterIds(facts.requester)) &&
    names(when.directions, facts.directions) &&
    isOver(when, facts)
  );
}

function requesterIds({ id, replacedIds = [] }: PolicyRequester): string[] {
  return id === null ? [] : [id, ...replacedIds];
}

/** Whether one of them is named; true if the condition is not given. */
function names<Id extends string>(given: readonly Id[] | undefined, ids: readonly Id[]): boolean {
  return given === undefined || ids.some((id) => given.includes(id));
}

function isOver({ amountOver, window }: PolicyWhen, facts: PolicyFacts): boolean {
  if (amountOver === undefined) return true;
  return (window ? facts.windowSums(window) : facts.amountInCents) > amountOver;
}

/** The windows that a policy adds up, each once. */
export function windowsOf(policy: Policy): PolicyWindow[] {
  const windows = policy.rules.flatMap(({ when }) => (when.window ? [when.window] : []));
  return [...new Map(windows.map((window) => [windowKey(window), window])).values()];
}

/** The same for two windows that add up the same. */
export function windowKey({ days, by }: PolicyWindow): string {
  return `${days} ${[...by].sort().join(" ")}`;
}
