import type { PasskeyView, SecurityView } from "@/lib/contract/views/auth-view";
import type { MemberActor } from "@/lib/core/context";
import { SESSION_IDLE_MS } from "@/lib/core/members/session";
import type { Services } from "@/lib/platform/services";

/** A member's own ways to sign in, and where else they are. */
export async function listSecurity(
  services: Pick<Services, "pool" | "clock">,
  actor: Pick<MemberActor, "id" | "sessionId">,
): Promise<SecurityView> {
  const [passkeys, recoveryCodes, otherSessionCount] = await Promise.all([
    listPasskeys(services, actor.id),
    countRecoveryCodes(services, actor.id),
    countOtherSessions(services, actor),
  ]);
  return { passkeys, recoveryCodes, otherSessionCount };
}

/** Those that still count (read-session.ts). */
async function countOtherSessions(
  services: Pick<Services, "pool" | "clock">,
  { id, sessionId }: Pick<MemberActor, "id" | "sessionId">,
): Promise<number> {
  const now = services.clock.now();
  const { rows } = await services.pool.query<{ count: number }>(
    `select count(*)::int as count from sessions
      where user_id = $1 and id <> $2 and revoked_at is null and expires_at > $3 and last_seen_at > $4`,
    [id, sessionId, now, new Date(now.getTime() - SESSION_IDLE_MS)],
  );
  return rows[0]?.count ?? 0;
}

async function listPasskeys(services: Pick<Services, "pool">, userId: string): Promise<PasskeyView[]> {
  const { rows } = await services.pool.query<{
    credential_id: string;
    name: string;
    created_at: Date;
    last_used_at: Date | null;
  }>(
    `select credential_id, name, created_at, last_used_at from passkeys
      where user_id = $1 order by created_at, credential_id limit 100`,
    [userId],
  );
  return rows.map((row) => ({
    id: row.credential_id,
    name: row.name,
    addedAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
}

async function countRecoveryCodes(
  services: Pick<Services, "pool">,
  userId: string,
): Promise<SecurityView["recoveryCodes"]> {
  const { rows } = await services.pool.query<{ made: number; left: number; made_at: Date | null }>(
    `select count(*)::int as made, (count(*) filter (where used_at is null))::int as left, max(created_at) as made_at
       from recovery_codes where user_id = $1`,
    [userId],
  );
  const codes = rows[0];
  if (!codes?.made_at) return null;
  return { leftCount: codes.left, madeCount: codes.made, madeAt: codes.made_at.toISOString() };
}
