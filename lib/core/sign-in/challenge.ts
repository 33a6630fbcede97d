import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** What a passkey's signature over the challenge means. */
type ChallengePurpose = "SIGN_IN" | "ENROL" | "DECIDE" | "MANAGE";

/** For what, by whom and where a challenge may be answered. */
export interface ChallengeScope {
  purpose: ChallengePurpose;
  /** Null while signing in. */
  userId: string | null;
  sessionId: string | null;
  /** What exactly is confirmed; empty where the purpose is enough. */
  boundTo: string;
}

export const CHALLENGE_LIFETIME_MS = 5 * 60_000;

export const SIGN_IN_SCOPE: ChallengeScope = {
  purpose: "SIGN_IN",
  userId: null,
  sessionId: null,
  boundTo: "",
};

export function memberScope(
  purpose: Exclude<ChallengePurpose, "SIGN_IN">,
  actor: Pick<MemberActor, "id" | "sessionId">,
  boundTo = "",
): ChallengeScope {
  return { purpose, userId: actor.id, sessionId: actor.sessionId, boundTo };
}

/** @returns the challenge, base64url: valid for five minutes and one use. */
export async function issueChallenge(
  services: Pick<Services, "pool" | "clock">,
  scope: ChallengeScope,
): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  const expiresAt = new Date(services.clock.now().getTime() + CHALLENGE_LIFETIME_MS);
  await services.pool.query(
    `insert into challenges (challenge, purpose, user_id, session_id, bound_to, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [challenge, scope.purpose, scope.userId, scope.sessionId, scope.boundTo, expiresAt],
  );
  return challenge;
}

/** Issued for exactly this scope, neither expired nor used; the parameters are those of `openAt`. */
export const OPEN_CHALLENGE = `
  select from challenges
   where challenge = $1 and purpose = $2 and user_id is not distinct from $3
     and session_id is not distinct from $4 and bound_to = $5 and expires_at > $6 and used_at is null`;

export function openAt(challenge: string, scope: ChallengeScope, now: Date) {
  return [challenge, scope.purpose, scope.userId, scope.sessionId, scope.boundTo, now];
}

/** Whether a challenge may still be answered in this scope. Does not consume it. */
export async function isChallengeOpen(
  services: Pick<Services, "pool" | "clock">,
  challenge: string,
  scope: ChallengeScope,
): Promise<boolean> {
  const { rowCount } = await services.pool.query(
    OPEN_CHALLENGE,
    openAt(challenge, scope, services.clock.now()),
  );
  return rowCount === 1;
}

/**
 * Consumes a challenge, in the transaction of what it confirms. Of concurrent calls one gets true: the others wait for
 * its row lock and then find it used.
 */
export async function spendChallenge(
  client: Queryable,
  challenge: string,
  scope: ChallengeScope,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update challenges set used_at = $6
      where challenge = $1 and purpose = $2 and user_id is not distinct from $3
        and session_id is not distinct from $4 and bound_to = $5 and expires_at > $6 and used_at is null`,
    openAt(challenge, scope, now),
  );
  return rowCount === 1;
}

const clientDataSchema = z.object({ challenge: z.string().min(1).max(100) });

/**
 * The challenge that a response claims to answer. Untrusted: it only finds our row, over which the signature is then
 * verified.
 * @returns null for an unreadable response.
 */
export function claimedChallenge(clientDataJSON: string): string | null {
  try {
    const clientData: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    return clientDataSchema.safeParse(clientData).data?.challenge ?? null;
  } catch {
    return null;
  }
}
