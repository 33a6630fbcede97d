import { generateAuthenticationOptions } from "@simplewebauthn/server";
import type { PasskeyRequestOptions } from "@/lib/contract/views/passkey";
import { CHALLENGE_LIFETIME_MS, type ChallengeScope, issueChallenge } from "@/lib/core/sign-in/challenge";
import { relyingParty } from "@/lib/core/sign-in/relying-party";
import type { Services } from "@/lib/platform/services";

export interface StoredPasskey {
  credentialId: string;
  transports: string[];
}

/**
 * What a browser needs to ask for a passkey, with a challenge for exactly this scope.
 * @param passkeys those that may answer; empty: any that the device knows for this host.
 */
export async function requestPasskey(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  scope: ChallengeScope,
  passkeys: readonly StoredPasskey[],
): Promise<PasskeyRequestOptions> {
  const challenge = await issueChallenge(services, scope);
  return generateAuthenticationOptions({
    rpID: relyingParty(services).id,
    // As bytes: a text would be encoded once more.
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
