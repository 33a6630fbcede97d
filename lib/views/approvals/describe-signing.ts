import { DEFAULT_POLICY, type Requirement } from "@/lib/contract/policies/policy";
import type { ApprovalFacts, TransferApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { describeChanges } from "@/lib/core/approvals/digest";
import type { Signer } from "@/lib/core/approvals/proposal-policy";
import { type Signing, signingOf, toSigning } from "@/lib/core/approvals/signing";
import type { MatchedVersion } from "@/lib/core/policies/match-proposal";
import type { ChangeSignature, ChangeSigning } from "@/lib/core/policies/sign-change";
import { isStricter } from "@/lib/engine/policies/backtest-policy";
import type { Progress, RequirementProgress, WhyNot } from "@/lib/engine/policies/progress-of";
import { missingWords, payeeReasonWords, stageWords, WHY_NOT_WORDS } from "@/lib/words/signing-words";

/**
 * Whose signatures a proposal has and waits for; null where any one owner or co-owner decides.
 */
export function describeSigning(facts: ApprovalFacts, viewerId: string) {
  const signing = signingOf(facts);
  if (!signing || (signing.valid.length === 0 && signing.policy.asks.every(isDefault))) return null;
  const { policy, progress } = signing;
  const last = signing.valid.filter(({ memberId }) => memberId !== viewerId).at(-1);
  return {
    ...describePersons({ ...signing, ...policy, progress, payees: facts.payees }, viewerId),
    /** What changed since another person signed, for the next signer: one sentence each. */
    changedSince: last ? { byName: last.memberName, changes: changesSince(facts, last.digest) } : null,
  };
}

/** Whose signatures a batch has and waits for; null where any one owner or co-owner decides. */
export function describeBatchSigning(
  signing: Signing | null,
  payees: TransferApprovalFacts["payees"],
  viewerId: string,
): SigningView | null {
  if (!signing || (signing.valid.length === 0 && signing.policy.asks.every(isDefault))) return null;
  const { policy } = signing;
  const setting = {
    people: policy.people,
    requesterMemberIds: policy.requesterMemberIds,
    today: policy.today,
  };
  // Whatever their time is.
  const asksMore = (one: MatchedVersion, other: MatchedVersion) =>
    isStricter(
      { ...one.requirement, expiresAfterHours: 1 },
      { ...other.requirement, expiresAfterHours: 1 },
      setting,
    );
  // Two of three include one of three: a rule that another one of its version includes says nothing more.
  const isShown = (ask: MatchedVersion, at: number) =>
    policy.asks.every(
      (other, index) =>
        index === at ||
        other.version !== ask.version ||
        asksMore(ask, other) ||
        (at < index && !asksMore(other, ask)),
    );
  const named = { ...policy, asks: policy.asks.filter(isShown) };
  // A signature binds to its lines: with another line, amount or party its signer is asked again.
  return {
    ...describePersons({ ...toSigning(named, signing.subjectHash), ...named, payees }, viewerId),
    changedSince: null,
  };
}

/** Whose signatures a payee's account or a version of a rule has and waits for; null where one person confirms it. */
export function describeChangeSigning(signing: ChangeSigning | null, viewerId: string) {
  if (!signing || (signing.signatures.length === 0 && isDefault(signing.ask))) return null;
  const { ask, signatures, ...others } = signing;
  return {
    ...describePersons({ ...others, asks: [ask], valid: signatures, outdated: [], payees: [] }, viewerId),
    changedSince: null,
    /** Until when signatures may come that have begun, and how long they may take. */
    expiresAt: signing.expiresAt?.toISOString() ?? null,
    hours: ask.requirement.expiresAfterHours,
  };
}

export type ChangeSigningView = NonNullable<ReturnType<typeof describeChangeSigning>>;

interface Signers {
  asks: readonly MatchedVersion[];
  valid: readonly ChangeSignature[];
  outdated: readonly Pick<ChangeSignature, "memberId">[];
  people: readonly Signer[];
  progress: Progress;
  whyNot: (memberId: string) => WhyNot | null;
  /** Those that it pays. */
  payees: TransferApprovalFacts["payees"];
}

function describePersons(signing: Signers, viewerId: string) {
  const { asks, people, progress } = signing;
  const most = progress.requirements.reduce(moreNeeded);
  const whyNot = signing.whyNot(viewerId);
  const completes = progress.wouldComplete.includes(viewerId);
  return {
    givenCount: neededOf(most) - most.missingCount,
    neededCount: neededOf(most),
    asks: asks.map(({ version, ruleIndex, ruleName, requirement, when }) => ({
      version,
      /** `Marlow Legal is a new payee`; null: it asks for another reason. */
      because: payeeReasonWords(when, signing.payees),
      ruleNumber: ruleIndex === null ? null : ruleIndex + 1,
      ruleName,
      stages: requirement.stages.map((stage) => stageWords(stage, namesOf(requirement, signing))),
      requesterCounts: requirement.requesterCounts,
    })),
    people: describePeople(signing, viewerId),
    waitsFor: progress.isComplete ? "anyone who could sign" : missingWords(progress, people),
    signedNames: signing.valid.map(({ memberId, memberName }) =>
      memberId === viewerId ? "You" : memberName,
    ),
    viewer: {
      hasSigned: signing.valid.some(({ memberId }) => memberId === viewerId),
      completes,
      /** Why their signature would not count now; null: it would. */
      mayNot: whyNot && { kind: whyNot, text: WHY_NOT_WORDS[whyNot] },
    },
  };
}

export type SigningView = NonNullable<ReturnType<typeof describeSigning>>;
export type SigningPersonView = SigningView["people"][number];

function isDefault({ requirement }: { requirement: Requirement }): boolean {
  const { stages, requesterCounts } = DEFAULT_POLICY.otherwise;
  const normal = requirement.stages.map(({ of, ...stage }) => ({
    of: "roles" in of ? { roles: of.roles.toSorted().toReversed() } : of,
    ...stage,
  }));
  return requirement.requesterCounts === requesterCounts && JSON.stringify(normal) === JSON.stringify(stages);
}

const neededOf = ({ stages }: RequirementProgress) => stages.reduce((sum, { atLeast }) => sum + atLeast, 0);

function moreNeeded(most: RequirementProgress, other: RequirementProgress): RequirementProgress {
  if (other.missingCount !== most.missingCount) return other.missingCount > most.missingCount ? other : most;
  return neededOf(other) > neededOf(most) ? other : most;
}

/** Who could count in each stage, by name; a requester who does not count is left out. */
function namesOf(requirement: Requirement, { asks, people, progress }: Signers) {
  const index = asks.findIndex((ask) => ask.requirement.stages === requirement.stages);
  return (stage: Requirement["stages"][number]): string[] => {
    const at = requirement.stages.indexOf(stage);
    const ids = progress.requirements[index]?.stages[at]?.eligibleIds ?? [];
    return people.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  };
}

function changesSince(facts: ApprovalFacts, digest: string): string[] {
  const changes = describeChanges(digest, facts, runChecks(facts));
  // Without a difference in what the digest lists, nothing changed: the signature still counts.
  return changes.length === 1 && changes[0]?.startsWith("This request changed") ? [] : changes;
}

/** Everyone who signed or could sign, in that order; the viewer before others. */
function describePeople(signing: Signers, viewerId: string) {
  const { people, progress } = signing;
  const valid = new Map(signing.valid.map((signature) => [signature.memberId, signature]));
  const outdated = new Map(signing.outdated.map((signature) => [signature.memberId, signature]));
  const couldSign = new Set(
    progress.requirements.flatMap(({ stages }) => stages.flatMap(({ eligibleIds }) => eligibleIds)),
  );
  const shown = people.filter(({ id }) => couldSign.has(id) || valid.has(id) || id === viewerId);
  const rank = (id: string) =>
    valid.has(id) ? 0 : id === viewerId ? 1 : progress.maySign.includes(id) ? 2 : 3;
  return shown
    .toSorted((left, right) => rank(left.id) - rank(right.id))
    .map(({ id, name }) => {
      const signature = valid.get(id);
      return {
        id,
        name,
        isViewer: id === viewerId,
        signedAt: signature?.at.toISOString() ?? null,
        method: signature?.method ?? null,
        /** They signed something else, and are asked again. */
        isOutdated: !signature && outdated.has(id),
        maySign: progress.maySign.includes(id),
        whyNot: signing.whyNot(id),
        completes: progress.wouldComplete.includes(id),
      };
    });
}
