import { FRESH_SIGN_IN_MS } from "@/lib/contract/limits";
import type { ConfirmationRequest, DecisionSubject } from "@/lib/contract/views/decision";
import type { MemberActor } from "@/lib/core/shared/context";
import { hasAuthenticator } from "@/lib/core/sign-in/authenticator";
import type { ChallengeScope } from "@/lib/core/sign-in/challenge";
import { decisionScope } from "@/lib/core/sign-in/confirmation";
import { findPasskeys, requestPasskey } from "@/lib/core/sign-in/request-passkey";
import type { Services } from "@/lib/platform/services";

/**
 * How this member must confirm this decision, with the challenge for it (decisions page, "Approval"): by passkey when
 * they have one, else not at all within five minutes of signing in, else by password, and the code of their
 * authenticator app where they have one. Whether they may decide is not
 * asked here.
 */
export function beginConfirmation(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  subject: DecisionSubject,
): Promise<ConfirmationRequest> {
  return beginConfirmationOf(services, actor, decisionScope(actor, subject));
}

/** @param freshSignInCounts false: a sign-in of just now is no proof, whoever sat down at this browser since */
export async function beginConfirmationOf(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  scope: ChallengeScope,
  { freshSignInCounts = true }: { freshSignInCounts?: boolean } = {},
): Promise<ConfirmationRequest> {
  const passkeys = await findPasskeys(services, actor.id);
  if (passkeys.length > 0) {
    return { kind: "PASSKEY", options: await requestPasskey(services, scope, passkeys) };
  }
  if (freshSignInCounts && isFresh(actor.authenticatedAt, services.clock.now())) return { kind: "NONE" };
  return { kind: "PASSWORD", withCode: await hasAuthenticator(services.pool, actor.id) };
}

/** Whether somebody proved less than five minutes ago who they are. */
export function isFresh(authenticatedAt: Date, now: Date): boolean {
  return now.getTime() - authenticatedAt.getTime() < FRESH_SIGN_IN_MS;
}
