import type { Confirmation, DecisionSubject } from "@/lib/contract/views/decision";
import type { MemberActor } from "@/lib/core/shared/context";
import { type ChallengeScope, memberScope } from "@/lib/core/sign-in/challenge";
import type { TakenCode } from "@/lib/core/sign-in/password-code";
import type { VerifiedAssertion } from "@/lib/core/sign-in/verify-assertion";

/** By what a decision was confirmed, as it is stored with the decision. */
export type ConfirmationMethod = "PASSKEY" | "PASSWORD" | "RECENT_SIGN_IN" | "RECOVERY_CODE";

/** A proof that was found right and not used yet. It holds no secret. */
export type VerifiedConfirmation = {
  userId: string;
  sessionId: string;
  /** Real time of the verification. */
  verifiedAt: Date;
} & (
  | { method: "PASSKEY"; passkeyName: string; assertion: VerifiedAssertion }
  | { method: "RECOVERY_CODE"; codeHash: Buffer }
  /** `code`: of the authenticator app, where the password asks for one. */
  | { method: "PASSWORD"; code: Extract<TakenCode, { kind: "RIGHT" | "NONE" }> }
  | { method: "RECENT_SIGN_IN" }
);

export type ConfirmationKind = Confirmation["kind"];

/** A challenge for this decision answers for no other: neither proposal, nor verdict, nor what was shown. */
export function decisionScope(
  actor: Pick<MemberActor, "id" | "sessionId">,
  subject: DecisionSubject,
): ChallengeScope {
  // A denial confirms nothing about what was shown, so a balance that moves meanwhile must not spoil it.
  const shown = subject.decision === "APPROVE" ? subject.digest : "";
  return memberScope("DECIDE", actor, `${subject.proposalId} ${subject.decision} ${shown}`);
}

/** For changing one's own ways to sign in. */
export function manageScope(actor: Pick<MemberActor, "id" | "sessionId">): ChallengeScope {
  return memberScope("MANAGE", actor);
}
