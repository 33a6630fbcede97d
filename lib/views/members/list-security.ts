import type { MemberActor } from "@/lib/core/shared/context";
import { SESSION_IDLE_MS } from "@/lib/core/shared/session";
import { missingProof } from "@/lib/core/sign-in/presence";
import { describeBrowser } from "@/lib/core/sign-in/sign-in-browser";
import type { Services } from "@/lib/platform/services";

/** What remains until an organization that requires a second factor lets a session in. */
export type FactorStep =
  /** `ADD`: they have none yet. */
  { kind: "PROVE"; proof: "PASSKEY" | "PASSWORD_AND_CODE" } | { kind: "ADD" };

const MAXIMUM_SESSIONS = 50;

/** A member's own sign-in methods and sessions. */
export async function listSecurity(
  services: Pick<Services, "pool" | "clock">,
  actor: Pick<MemberActor, "id" | "sessionId">,
) {
  const [passkeys, recoveryCodes, own, sessions] = await Promise.all([
    listPasskeys(services, actor.id),
    countRecoveryCodes(services, actor.id),
    readOwn(services, actor.id),
    listSessions(services, actor),
  ]);
  return {
    passkeys /** Null when none were made. */,
    recoveryCodes,
    ...own /** Active sessions: this one first, then most recently seen; at most 50. */,
    sessions,
  };
}

/** A member's own ways to sign in. */
export type SecurityView = Awaited<ReturnType<typeof listSecurity>>;

async function readOwn(services: Pick<Services, "pool">, userId: string) {
  const { rows } = await services.pool.query<{ confirmedAt: Date | null; passwordChangedAt: Date | null }>(
    `select a.confirmed_at as "confirmedAt", u.password_changed_at as "passwordChangedAt"
       from users u left join authenticators a on a.user_id = u.id where u.id = $1`,
    [userId],
  );
  const own = rows[0];
  return {
    authenticator: own?.confirmedAt ? { createdAt: own.confirmedAt.toISOString() } : null,
    /** Null: never changed. */
    passwordChangedAt: own?.passwordChangedAt?.toISOString() ?? null,
  };
}

/** Sessions that are still valid (read-session.ts). */
async function listSessions(
  services: Pick<Services, "pool" | "clock">,
  { id, sessionId }: Pick<MemberActor, "id" | "sessionId">,
) {
  const now = services.clock.now();
  const { rows } = await services.pool.query<{
    id: string;
    userAgent: string;
    network: string | null;
    startedAt: Date;
    lastSeenAt: Date;
  }>(
    `select id, user_agent as "userAgent", network, coalesce(started_at, authenticated_at) as "startedAt",
    last_seen_at as "lastSeenAt" from sessions
      where user_id = $1 and revoked_at is null and expires_at > $3 and last_seen_at > $4
      order by (id = $2) desc, last_seen_at desc, id limit ${MAXIMUM_SESSIONS}`,
    [id, sessionId, now, new Date(now.getTime() - SESSION_IDLE_MS)],
  );
  return rows.map((row) => ({
    id: row.id,
    /** `Chrome on macOS`, from the browser's user agent. */
    browser: describeBrowser(row.userAgent),
    /** Network of the sign-in, shortened; null if unknown. */
    network: row.network,
    startedAt: row.startedAt.toISOString(),
    /** Within the hour. */
    lastSeenAt: row.lastSeenAt.toISOString(),
    isThisOne: row.id === sessionId,
  }));
}

export type SessionView = Awaited<ReturnType<typeof listSessions>>[number];

async function listPasskeys(services: Pick<Services, "pool">, userId: string) {
  const { rows } = await services.pool.query<{
    credentialId: string;
    name: string;
    createdAt: Date;
    lastUsedAt: Date | null;
  }>(
    `select credential_id as "credentialId", name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys
      where user_id = $1 order by created_at, credential_id limit 100`,
    [userId],
  );
  return rows.map((row) => ({
    id: row.credentialId,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }));
}

export type PasskeyView = Awaited<ReturnType<typeof listPasskeys>>[number];

async function countRecoveryCodes(services: Pick<Services, "pool">, userId: string) {
  const { rows } = await services.pool.query<{ made: number; left: number; createdAt: Date | null }>(
    `select count(*)::int as made, (count(*) filter (where used_at is null))::int as left, max(created_at) as "createdAt"
       from recovery_codes where user_id = $1`,
    [userId],
  );
  const codes = rows[0];
  if (!codes?.createdAt) return null;
  return { leftCount: codes.left, createdCount: codes.made, createdAt: codes.createdAt.toISOString() };
}

/**
 * The remaining step before an organization that requires a second factor admits this session: members with one enter
 * it; others add one.
 */
export async function readFactorStep(
  services: Pick<Services, "pool">,
  actor: MemberActor,
): Promise<FactorStep> {
  const proof = await missingProof(services, actor);
  return proof === "NOTHING_ENROLLED" ? { kind: "ADD" } : { kind: "PROVE", proof };
}
