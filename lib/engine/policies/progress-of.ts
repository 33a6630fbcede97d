import type { MemberRole } from "@/lib/contract/members";
import type { Requirement, Stage } from "@/lib/contract/policies/policy";

/** A signature that was not withdrawn. */
export interface GivenSignature {
  memberId: string;
  /** The day on which it was given, in the organization's time zone: for deputies. */
  on: string;
}

/** A member of the organization. */
export interface PossibleSigner {
  id: string;
  role: MemberRole;
  isActive: boolean;
}

export interface ProgressFacts {
  signatures: readonly GivenSignature[];
  people: readonly PossibleSigner[];
  /** Who does not count where the requester does not. */
  requesterMemberIds: readonly string[];
  /** In the organization's time zone. */
  today: string;
}

export interface StageProgress {
  atLeast: number;
  /** Who counts here: each person in one stage only. */
  memberIds: string[];
  /** Who could count here, whether they signed or not. */
  eligibleIds: string[];
}

export interface RequirementProgress {
  isComplete: boolean;
  stages: StageProgress[];
  /** The first stage that is not complete; null: all are. */
  currentStage: number | null;
  /** Whose signature would count now. */
  maySign: string[];
  /** Signatures that are missing in all. */
  missingCount: number;
}

export interface Progress {
  isComplete: boolean;
  requirements: RequirementProgress[];
  /** Whose signature would count now for at least one requirement. */
  maySign: string[];
  /** Whose signature would complete all of them now. */
  wouldComplete: string[];
}

/**
 * Why a signature would not count now: they signed; asked for it themselves; sign in a later stage; their stage is full; or
 * nothing names them.
 */
export type WhyNot = "SIGNED" | "REQUESTER" | "LATER_STAGE" | "FULL" | "NOT_NAMED";

/**
 * How far signatures meet all of these requirements: each person counts once in each of them, stages fill in their order,
 * and a signature of someone who no longer decides counts nowhere. One signature may serve several requirements.
 */
export function progressOf(requirements: readonly Requirement[], facts: ProgressFacts): Progress {
  const each = requirements.map((requirement) => progressOfOne(requirement, facts));
  if (each.every(({ isComplete }) => isComplete)) {
    // Less is needed now than when they signed: anyone who could sign may conclude it.
    const eligibleIds = each.flatMap(({ stages }) => stages.flatMap((stage) => stage.eligibleIds));
    const maySign = [...new Set(eligibleIds)];
    return { isComplete: true, requirements: each, maySign, wouldComplete: maySign };
  }
  const maySign = [...new Set(each.flatMap(({ maySign: some }) => some))];
  return {
    isComplete: false,
    requirements: each,
    maySign,
    wouldComplete: maySign.filter((memberId) => {
      const signatures = [...facts.signatures, { memberId, on: facts.today }];
      return requirements.every(
        (requirement) => assign(requirement, { ...facts, signatures }).missingCount === 0,
      );
    }),
  };
}

/** Null: it would count. */
export function whyNot(
  requirements: readonly Requirement[],
  facts: ProgressFacts,
  memberId: string,
): WhyNot | null {
  const progress = progressOf(requirements, facts);
  if (progress.maySign.includes(memberId)) return null;
  if (facts.signatures.some((signature) => signature.memberId === memberId)) return "SIGNED";
  const open = requirements.flatMap((requirement, index) => {
    const one = progress.requirements[index];
    return one && one.currentStage !== null ? [{ requirement, one, currentStage: one.currentStage }] : [];
  });
  const places = open.flatMap(({ one, currentStage }) =>
    one.stages.flatMap(({ eligibleIds }, stage) =>
      eligibleIds.includes(memberId) ? [stage - currentStage] : [],
    ),
  );
  if (places.some((place) => place > 0)) return "LATER_STAGE";
  if (places.length > 0) return "FULL";
  const isExcluded = open.some(({ requirement }) => !requirement.requesterCounts);
  return isExcluded && facts.requesterMemberIds.includes(memberId) ? "REQUESTER" : "NOT_NAMED";
}

function progressOfOne(requirement: Requirement, facts: ProgressFacts): RequirementProgress {
  const now = assign(requirement, facts);
  const currentStage = now.filled.findIndex((ids, index) => ids.length < atLeastOf(requirement, index));
  const stages = requirement.stages.map((stage, index) => ({
    atLeast: stage.atLeast,
    memberIds: now.filled[index] ?? [],
    eligibleIds: eligible(requirement, stage, facts),
  }));
  const isComplete = currentStage === -1;
  return {
    isComplete,
    stages,
    currentStage: isComplete ? null : currentStage,
    maySign: isComplete ? [] : whoAddsTo(requirement, facts, currentStage),
    missingCount: now.missingCount,
  };
}

const atLeastOf = (requirement: Requirement, index: number) => requirement.stages[index]?.atLeast ?? 0;

/** People without a signature whose signature would count in the current stage, perhaps by moving another one. */
function whoAddsTo(requirement: Requirement, facts: ProgressFacts, stage: number): string[] {
  const signed = new Set(facts.signatures.map(({ memberId }) => memberId));
  const before = assign(requirement, facts).filled[stage]?.length ?? 0;
  return facts.people
    .filter(({ id }) => !signed.has(id))
    .filter(({ id }) => {
      const signatures = [...facts.signatures, { memberId: id, on: facts.today }];
      return (assign(requirement, { ...facts, signatures }).filled[stage]?.length ?? 0) > before;
    })
    .map(({ id }) => id);
}

function eligible(requirement: Requirement, stage: Stage, facts: ProgressFacts): string[] {
  return facts.people
    .filter((person) => mayCount(requirement, stage, person, facts.today, facts))
    .map(({ id }) => id);
}

function mayCount(
  { requesterCounts }: Requirement,
  stage: Stage,
  { id, role, isActive }: PossibleSigner,
  on: string,
  { requesterMemberIds }: ProgressFacts,
): boolean {
  if (!isActive || (role !== "OWNER" && role !== "CO_OWNER")) return false;
  if (!requesterCounts && requesterMemberIds.includes(id)) return false;
  const isNamed = "roles" in stage.of ? stage.of.roles.includes(role) : stage.of.members.includes(id);
  return isNamed || stage.deputies.some(({ member, until }) => member === id && on <= until);
}

interface Assignment {
  /** Who counts in each stage. */
  filled: string[][];
  missingCount: number;
}

/**
 * Puts signatures into stages so that the earliest stages are as full as possible, and as many places as possible in all:
 * place after place, each time moving earlier signatures where that makes room (augmenting paths), which never empties one.
 */
function assign(requirement: Requirement, facts: ProgressFacts): Assignment {
  const people = new Map(facts.people.map((person) => [person.id, person]));
  const signers = [...new Map(facts.signatures.map((signature) => [signature.memberId, signature])).values()];
  const countsIn = signers.map(({ memberId, on }) => {
    const person = people.get(memberId);
    return requirement.stages.map((stage) =>
      person ? mayCount(requirement, stage, person, on, facts) : false,
    );
  });
  const placeOf: (number | null)[] = signers.map(() => null);
  const filled: number[][] = requirement.stages.map(() => []);
  const take = (stage: number, tried: Set<number>): boolean => {
    for (let signer = 0; signer < signers.length; signer += 1) {
      if (tried.has(signer) || !countsIn[signer]?.[stage] || placeOf[signer] === stage) continue;
      tried.add(signer);
      const from = placeOf[signer] ?? null;
      if (from !== null && !take(from, tried)) continue;
      if (from !== null) filled[from] = (filled[from] ?? []).filter((other) => other !== signer);
      placeOf[signer] = stage;
      filled[stage]?.push(signer);
      return true;
    }
    return false;
  };
  let missingCount = 0;
  for (const [stage, { atLeast }] of requirement.stages.entries()) {
    for (let place = 0; place < atLeast; place += 1) {
      if (!take(stage, new Set())) missingCount += 1;
    }
  }
  return {
    filled: filled.map((some) => some.map((signer) => signers[signer]?.memberId ?? "")),
    missingCount,
  };
}
