import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type WebAuthnCredential,
} from "@simplewebauthn/server";
import type { PasskeyAssertion } from "@/lib/contract/confirmation/decision";
import type { PasskeyRequestOptions } from "@/lib/contract/confirmation/passkeys";
import {
  CHALLENGE_LIFETIME_MS,
  type ChallengeScope,
  claimedChallenge,
  issueChallenge,
  OPEN_CHALLENGE,
  openAt,
} from "@/lib/core/sign-in/challenge";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import type { StoredPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** A valid signature that was not used yet. */
export interface VerifiedAssertion {
  challenge: string;
  scope: ChallengeScope;
  credentialId: string;
  userId: string;
  passkeyName: string;
  newCounter: number;
}

interface PasskeyRow {
  userId: string;
  publicKey: Buffer<ArrayBuffer>;
  counter: number;
  name: string;
}

const REFUSAL = "Your passkey did not work. Nothing was done. Try again.";

/**
 * Verifies a passkey's response: our challenge, origin and stored key, user verification by the device, and a counter
 * that increased. Consumes nothing, so it can run outside any transaction; `spendAssertion` follows.
 * @throws NotConfirmed, always with the same sentence: naming the failed check would only help attackers.
 */
export async function verifyAssertion(
  services: Pick<Services, "pool" | "clock" | "appUrl" | "log">,
  scope: ChallengeScope,
  answer: PasskeyAssertion,
): Promise<VerifiedAssertion> {
  const challenge = claimedChallenge(answer.response.clientDataJSON);
  const passkey = challenge && (await findPasskey(services, challenge, scope, answer.id));
  if (!passkey) throw new NotConfirmed(REFUSAL);
  const newCounter = await verifySignature(services, challenge, passkey, answer);
  if (newCounter === null) throw new NotConfirmed(REFUSAL);
  return {
    challenge,
    scope,
    credentialId: answer.id,
    userId: passkey.userId,
    passkeyName: passkey.name,
    newCounter,
  };
}

/** Null for another member's passkey, and where the challenge is not open for this scope. */
async function findPasskey(
  services: Pick<Services, "pool" | "clock">,
  challenge: string,
  scope: ChallengeScope,
  credentialId: string,
): Promise<PasskeyRow | null> {
  const { rows } = await services.pool.query<PasskeyRow>({
    name: "find_passkey_for_challenge",
    text: `select user_id as "userId", public_key as "publicKey", counter, name from passkeys
      where credential_id = $7 and ($3::uuid is null or user_id = $3) and exists (${OPEN_CHALLENGE})`,
    values: [...openAt(challenge, scope, services.clock.now()), credentialId],
  });
  return rows[0] ?? null;
}

/** @returns the new counter; null for an invalid response. */
async function verifySignature(
  services: Pick<Services, "appUrl" | "log">,
  expectedChallenge: string,
  passkey: PasskeyRow,
  answer: PasskeyAssertion,
): Promise<number | null> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(services);
  const credential: WebAuthnCredential = {
    id: answer.id,
    publicKey: new Uint8Array(passkey.publicKey),
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
    // The library throws for every invalid response. Operators must see it: a counter that went back indicates a clone.
    const reason = error instanceof Error ? error.message.slice(0, 200) : "unknown";
    services.log.warn({ userId: passkey.userId, reason }, "a passkey's response was refused");
    return null;
  }
}

/** A passkey is bound to this host, and only pages of this origin may request it. */
export function relyingParty(services: Pick<Services, "appUrl">): {
  id: string;
  origin: string;
  name: string;
} {
  const { hostname, origin } = new URL(services.appUrl);
  return { id: hostname, origin, name: "Sluice" };
}

/**
 * What a browser needs to request a passkey, with a challenge for exactly this scope.
 * @param passkeys those that may answer; empty: any that the device has for this host.
 */
export async function requestPasskey(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  scope: ChallengeScope,
  passkeys: readonly StoredPasskey[],
): Promise<PasskeyRequestOptions> {
  const challenge = await issueChallenge(services, scope);
  return generateAuthenticationOptions({
    rpID: relyingParty(services).id,
    // As bytes: text would be encoded again.
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    userVerification: "required",
    timeout: CHALLENGE_LIFETIME_MS,
  });
}

/**
 * Consumes a verified response, in the transaction of what it confirms: its challenge and its counter.
 * @param now real time
 * @throws NotConfirmed when it was already used, a later response of the same passkey was used, or the passkey has been
 * removed. Roll back.
 */
export async function spendAssertion(
  client: Queryable,
  assertion: VerifiedAssertion,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<{ refusal: AssertionRefusal | null }>({
    name: "use_assertion",
    text: "select use_assertion($1) as refusal",
    values: [spentBy(assertion, now)],
  });
  requireSpent(rows[0]?.refusal ?? null);
}

/** Why `use_assertion` consumed nothing. */
export type AssertionRefusal = "USED" | "REFUSED";

/** The record of `use_assertion`. @param now real time */
export function spentBy(
  { challenge, scope, credentialId, userId, newCounter }: VerifiedAssertion,
  now: Date,
): string {
  return JSON.stringify({
    challenge,
    ...scope,
    credentialId,
    passkeyUserId: userId,
    counter: newCounter,
    now,
  });
}

export function requireSpent(refusal: AssertionRefusal | null): void {
  if (refusal === "USED") throw new NotConfirmed("This confirmation was already used. Confirm again.");
  if (refusal === "REFUSED") throw new NotConfirmed(REFUSAL);
}
