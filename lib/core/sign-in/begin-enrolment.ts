import { generateRegistrationOptions } from "@simplewebauthn/server";
import type { PasskeyCreationOptions } from "@/lib/contract/views/passkey";
import type { MemberActor } from "@/lib/core/shared/context";
import { CHALLENGE_LIFETIME_MS, issueChallenge, memberScope } from "@/lib/core/sign-in/challenge";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { relyingParty } from "@/lib/core/sign-in/relying-party";
import { findPasskeys } from "@/lib/core/sign-in/request-passkey";
import type { Services } from "@/lib/platform/services";

/**
 * What a browser needs to make a passkey for this member, bound to this session, for five minutes.
 * @throws NotConfirmed without presence.
 */
export async function beginEnrolment(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
): Promise<PasskeyCreationOptions> {
  await requirePresence(services.pool, actor, services.clock.now());
  const { id: rpID, name: rpName } = relyingParty(services);
  const passkeys = await findPasskeys(services, actor.id);
  const challenge = await issueChallenge(services, memberScope("ENROL", actor));
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    userName: actor.email,
    userDisplayName: actor.name,
    // The id, never the address: authenticators keep it readable.
    userID: new Uint8Array(Buffer.from(actor.id.replaceAll("-", ""), "hex")),
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: "none",
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  });
  return {
    rp: options.rp,
    user: options.user,
    challenge: options.challenge,
    pubKeyCredParams: options.pubKeyCredParams,
    timeout: options.timeout,
    excludeCredentials: options.excludeCredentials,
    authenticatorSelection: {
      residentKey: "preferred",
      requireResidentKey: false,
      userVerification: "required",
    },
    attestation: "none",
  };
}
