import type { MemberRole } from "@/lib/contract/members";
import {
  DEFAULT_POLICY,
  MAXIMUM_POLICY_RULE_NAME_LENGTH,
  type Policy,
  type PolicyRule,
  type PolicyWhen,
  type Requirement,
  type Stage,
} from "@/lib/contract/policies/policy";

/** Changes of a policy, each valid as it is. Null is what the policy says otherwise. */
export type RulePlace = number | null;

export function requirementAt(policy: Policy, place: RulePlace): Requirement {
  return place === null ? policy.otherwise : (policy.rules[place] ?? policy.otherwise);
}

export function changeRequirement(policy: Policy, place: RulePlace, change: Partial<Requirement>): Policy {
  if (place === null) return { ...policy, otherwise: { ...policy.otherwise, ...change } };
  return changeRule(policy, place, change);
}

function changeRule(policy: Policy, place: number, change: Partial<PolicyRule>): Policy {
  return { ...policy, rules: policy.rules.map((rule, at) => (at === place ? { ...rule, ...change } : rule)) };
}

/** Sets conditions; undefined takes one away, unless it is the last. */
export function changeWhen(policy: Policy, place: number, change: Partial<PolicyWhen>): Policy {
  const rule = policy.rules[place];
  if (!rule) return policy;
  const given = Object.entries({ ...rule.when, ...change }).filter(([, value]) => value !== undefined);
  if (given.length === 0) return policy;
  const when: PolicyWhen = Object.fromEntries(given);
  return changeRule(policy, place, { when });
}

/** Whether a condition may be taken away: one must stay. */
export function hasOtherConditions(when: PolicyWhen, ...own: (keyof PolicyWhen)[]): boolean {
  return Object.entries(when).some(
    ([name, value]) => value !== undefined && !own.some((one) => one === name),
  );
}

export function changeStage(policy: Policy, place: RulePlace, at: number, change: Partial<Stage>): Policy {
  const { stages } = requirementAt(policy, place);
  return changeRequirement(policy, place, {
    stages: stages.map((stage, index) => (index === at ? { ...stage, ...change } : stage)),
  });
}

export function addStage(policy: Policy, place: RulePlace): Policy {
  const { stages } = requirementAt(policy, place);
  return changeRequirement(policy, place, { stages: [...stages, ...DEFAULT_POLICY.otherwise.stages] });
}

export function removeStage(policy: Policy, place: RulePlace, at: number): Policy {
  const { stages } = requirementAt(policy, place);
  return stages.length === 1
    ? policy
    : changeRequirement(policy, place, { stages: stages.filter((_, index) => index !== at) });
}

/** A new rule, last before “otherwise”: money that goes out, as it is approved otherwise. */
export function addRule(policy: Policy): Policy {
  const { otherwise } = policy;
  const rule: PolicyRule = {
    name: freeName(policy, "New rule"),
    when: { directions: ["MONEY_OUT"] },
    ...otherwise,
  };
  return { ...policy, rules: [...policy.rules, rule] };
}

/** Whether one person still decides about their own moves although another one may. */
export function mayAskForOwnMoves(
  { rules, otherwise }: Policy,
  people: readonly { role: MemberRole }[],
): boolean {
  const deciders = people.filter(({ role }) => role === "OWNER" || role === "CO_OWNER");
  const isAsked = rules.some(({ when, requesterCounts }) => {
    const kinds = when.requesters?.kinds;
    return !requesterCounts && kinds?.length === 1 && kinds[0] === "MEMBER";
  });
  return deciders.length > 1 && otherwise.requesterCounts && !isAsked;
}

/** A rule for what members move themselves, last before “otherwise”: as it is approved otherwise, by someone else. */
export function addOwnMovesRule(policy: Policy): Policy {
  const rule: PolicyRule = {
    name: freeName(policy, "Own moves"),
    when: { kinds: ["TRANSFER", "RUN"], requesters: { kinds: ["MEMBER"] } },
    ...policy.otherwise,
    requesterCounts: false,
  };
  return { ...policy, rules: [...policy.rules, rule] };
}

/** `New rule 2`, if there is one of that name. */
function freeName({ rules }: Policy, name: string): string {
  const taken = new Set(rules.map((rule) => rule.name));
  const numbers = Array.from({ length: rules.length + 1 }, (_, at) =>
    at === 0 ? name : `${name} ${at + 1}`,
  );
  return numbers.find((candidate) => !taken.has(candidate)) ?? name;
}

export function removeRule(policy: Policy, place: number): Policy {
  return { ...policy, rules: policy.rules.filter((_, at) => at !== place) };
}

export function moveRule(policy: Policy, place: number, way: -1 | 1): Policy {
  const rules = [...policy.rules];
  const [rule] = rules.splice(place, 1);
  if (!rule) return policy;
  rules.splice(Math.max(0, place + way), 0, rule);
  return { ...policy, rules };
}

/** Null: a name that a policy cannot hold. */
export function renameRule(policy: Policy, place: number, typed: string): Policy | null {
  const name = typed.trim();
  const isTaken = policy.rules.some((rule, at) => at !== place && rule.name === name);
  if (name === "" || name.length > MAXIMUM_POLICY_RULE_NAME_LENGTH || isTaken) return null;
  return changeRule(policy, place, { name });
}
