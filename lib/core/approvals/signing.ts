import type { ApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { signedSubjectHash } from "@/lib/core/approvals/digest";
import type { ProposalPolicy, StoredSignature } from "@/lib/core/approvals/proposal-policy";
import {
  type Progress,
  type ProgressFacts,
  progressOf,
  type WhyNot,
  whyNot,
} from "@/lib/engine/policies/progress-of";

/** The signatures of a proposal, and what is missing. */
export interface Signing {
  policy: ProposalPolicy;
  /** What a signature that is given now binds to. */
  subjectHash: string;
  /** Those that bind to what the proposal is now, in their order. */
  valid: StoredSignature[];
  /** Of people who saw another amount, plan, party or policy: they are asked again. */
  outdated: StoredSignature[];
  progress: Progress;
  /** Why a member's signature would not count now; null: it would. */
  whyNot: (memberId: string) => WhyNot | null;
}

/** Null without a policy: one decider decides. Of a line of a batch too, which is signed with the others (`readBatchSigning`). */
export function signingOf(facts: ApprovalFacts): Signing | null {
  return facts.policy && toSigning(facts.policy, signedSubjectHash(facts));
}

/** @param subjectHash of what a signature that is given now binds to */
export function toSigning(policy: ProposalPolicy, subjectHash: string): Signing {
  const valid = policy.signatures.filter((signature) => signature.subjectHash === subjectHash);
  const requirements = policy.asks.map(({ requirement }) => requirement);
  const given: ProgressFacts = {
    signatures: valid,
    people: policy.people,
    requesterMemberIds: policy.requesterMemberIds,
    today: policy.today,
  };
  return {
    policy,
    subjectHash,
    valid,
    outdated: policy.signatures.filter((signature) => signature.subjectHash !== subjectHash),
    progress: progressOf(requirements, given),
    whyNot: (memberId) => whyNot(requirements, given, memberId),
  };
}
