import { verifyAuthenticationResponse, type WebAuthnCredential } from "@simplewebauthn/server";
import type { PasskeyAssertion } from "@/lib/contract/views/passkey";
import { type ChallengeScope, claimedChallenge, isChallengeOpen } from "@/lib/core/sign-in/challenge";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { relyingParty } from "@/lib/core/sign-in/relying-party";
import type { Services } from "@/lib/platform/services";

/** A signature that is right, and that nothing has been done with yet. */
export interface VerifiedAssertion {
  challenge: string;
  scope: ChallengeScope;
  credentialId: string;
  userId: string;
  passkeyName: string;
  newCounter: number;
}

interface PasskeyRow {
  user_id: string;
  public_key: Buffer<ArrayBuffer>;
  counter: number;
  name: string;
}

const REFUSAL = "Your passkey did not work. Nothing was done. Try again.";

/**
 * Checks a passkey's answer against our challenge, origin and the stored key, with the user verified by the device and
 * a counter that went forward. Spends nothing, so that it can run outside of any transaction: `spendAssertion` follows.
 * @throws NotConfirmed, always with the same sentence: which check failed helps only who tries.
 */
export async function verifyAssertion(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log">,
  scope: ChallengeScope,
  answer: PasskeyAssertion,
): Promise<VerifiedAssertion> {
  const challenge = claimedChallenge(answer.response.clientDataJSON);
  if (challenge === null || !(await isChallengeOpen(services, challenge, scope)))
    throw new NotConfirmed(REFUSAL);
  const passkey = await findPasskey(services, answer.id, scope.userId);
  if (!passkey) throw new NotConfirmed(REFUSAL);
  const newCounter = await verifySignature(services, challenge, passkey, answer);
  if (newCounter === null) throw new NotConfirmed(REFUSAL);
  return {
    challenge,
    scope,
    credentialId: answer.id,
    userId: passkey.user_id,
    passkeyName: passkey.name,
    newCounter,
  };
}

/** Another member's passkey is none. */
async function findPasskey(
  services: Pick<Services, "pool">,
  credentialId: string,
  userId: string | null,
): Promise<PasskeyRow | null> {
  const { rows } = await services.pool.query<PasskeyRow>(
    `select user_id, public_key, counter, name from passkeys
      where credential_id = $1 and ($2::uuid is null or user_id = $2)`,
    [credentialId, userId],
  );
  return rows[0] ?? null;
}

/** @returns the new counter; null when the answer is not what it should be. */
async function verifySignature(
  services: Pick<Services, "appUrl" | "log">,
  expectedChallenge: string,
  passkey: PasskeyRow,
  answer: PasskeyAssertion,
): Promise<number | null> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(services);
  const credential: WebAuthnCredential = {
    id: answer.id,
    publicKey: new Uint8Array(passkey.public_key),
    counter: passkey.counter,
  };
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      credential,
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (error) {
    // The library throws for every answer that is wrong. Operators must see it: a counter that went back is a clone.
    const reason = error instanceof Error ? error.message.slice(0, 200) : "unknown";
    services.log.warn({ userId: passkey.user_id, reason }, "A passkey's answer was refused");
    return null;
  }
}
