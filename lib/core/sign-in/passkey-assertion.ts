import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type WebAuthnCredential,
} from "@simplewebauthn/server";
import type { PasskeyAssertion, PasskeyRequestOptions } from "@/lib/contract/views/decision";
import {
  CHALLENGE_LIFETIME_MS,
  type ChallengeScope,
  claimedChallenge,
  isChallengeOpen,
  issueChallenge,
  spendChallenge,
} from "@/lib/core/sign-in/challenge";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
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
  user_id: string;
  public_key: Buffer<ArrayBuffer>;
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

/** Another member's passkey is not found. */
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
    // The library throws for every invalid response. Operators must see it: a counter that went back indicates a clone.
    const reason = error instanceof Error ? error.message.slice(0, 200) : "unknown";
    services.log.warn({ userId: passkey.user_id, reason }, "a passkey's response was refused");
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

interface StoredPasskey {
  credentialId: string;
  transports: string[];
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

/** A member's passkeys, oldest first. */
export async function findPasskeys(
  services: Pick<Services, "pool">,
  userId: string,
): Promise<StoredPasskey[]> {
  const { rows } = await services.pool.query<{ credential_id: string; transports: string[] }>(
    "select credential_id, transports from passkeys where user_id = $1 order by created_at limit 100",
    [userId],
  );
  return rows.map((row) => ({ credentialId: row.credential_id, transports: row.transports }));
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
  if (!(await spendChallenge(client, assertion.challenge, assertion.scope, now))) {
    throw new NotConfirmed("This confirmation was already used. Confirm again.");
  }
  // Verified outside this transaction, so the counter is compared again. Synced passkeys stay at zero.
  const { rowCount } = await client.query(
    `update passkeys set counter = $3, last_used_at = $4
      where credential_id = $1 and user_id = $2 and (counter < $3 or (counter = 0 and $3 = 0))`,
    [assertion.credentialId, assertion.userId, assertion.newCounter, now],
  );
  if (rowCount !== 1) throw new NotConfirmed("Your passkey did not work. Nothing was done. Try again.");
}
