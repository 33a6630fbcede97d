import type { Policy, Requirement, Stage } from "@/lib/contract/policies/policy";
import { type MatchedRequirement, matchPolicy, type PolicyFacts } from "@/lib/engine/policies/match-policy";
import type { PossibleSigner } from "@/lib/engine/policies/progress-of";

/** How long a version waits for its signatures where no rule is about policies. */
const POLICY_SIGNING_HOURS = 72;

/** What a policy decides by where the policy itself is to change. */
export function factsOfChange(requesterId: string): PolicyFacts {
  return {
    kind: "POLICY",
    payee: null,
    amountInCents: 0,
    windowSums: () => 0,
    sourceAccountIds: [],
    destinationAccountIds: [],
    requester: { kind: "MEMBER", id: requesterId, memberIds: [requesterId] },
    directions: [],
  };
}

const ANYONE: Stage = { of: { roles: ["OWNER", "CO_OWNER"] }, atLeast: 1, deputies: [] };

export interface ChangeRequirement extends MatchedRequirement {
  /** A second person was added to what the policy says. */
  isRaised: boolean;
}

/**
 * Who must sign a version that replaces this one, or that this one would be: its first rule for policies, or otherwise; and
 * two people wherever two may sign, so that nobody voids a policy alone.
 */
export function requirementOfChange(
  policy: Policy,
  requesterId: string,
  people: readonly PossibleSigner[],
): ChangeRequirement {
  const matched = matchPolicy(policy, factsOfChange(requesterId));
  const raised = withSecondPerson(matched.requirement, requesterId, people);
  return { ...matched, requirement: raised ?? matched.requirement, isRaised: raised !== null };
}

/** Null: it asks for two already, or no second person may sign. */
function withSecondPerson(
  requirement: Requirement,
  requesterId: string,
  people: readonly PossibleSigner[],
): Requirement | null {
  const [stage, ...others] = requirement.stages;
  if (!stage || others.length > 0 || stage.atLeast > 1) return null;
  const signers = people.filter(
    ({ id, role, isActive }) =>
      isActive &&
      (role === "OWNER" || role === "CO_OWNER") &&
      (requirement.requesterCounts || id !== requesterId),
  );
  if (signers.length < 2) return null;
  const { of } = stage;
  const here = signers.filter(({ id, role }) =>
    "roles" in of ? of.roles.some((named) => named === role) : of.members.includes(id),
  );
  const stages = here.length >= 2 ? [{ ...stage, atLeast: 2 }] : [stage, ANYONE];
  return { ...requirement, stages };
}

/** How long the signatures of a version may take: what rules about policies say, the shorter of the two; else 72 hours. */
export function signingHours(requirements: readonly MatchedRequirement[]): number {
  const limits = requirements.flatMap(({ ruleIndex, requirement }) =>
    ruleIndex === null ? [] : [requirement.expiresAfterHours],
  );
  return limits.length === 0 ? POLICY_SIGNING_HOURS : Math.min(...limits);
}

/** A version that is to replace the one in force, and who asks for that. */
export interface PublishedPolicies {
  inForce: Policy;
  next: Policy;
  requesterId: string;
  people: readonly PossibleSigner[];
}

/** What both versions ask for; once where that is the same. All of it must be met, so the stricter one counts. */
export function requirementsOfPublication({
  inForce,
  next,
  requesterId,
  people,
}: PublishedPolicies): ChangeRequirement[] {
  const now = requirementOfChange(inForce, requesterId, people);
  const then = requirementOfChange(next, requesterId, people);
  return isSameDemand(now.requirement, then.requirement) ? [now] : [now, then];
}

function isSameDemand(one: Requirement, other: Requirement): boolean {
  return (
    one.requesterCounts === other.requesterCounts &&
    JSON.stringify(one.stages) === JSON.stringify(other.stages)
  );
}
