import type { PasskeyView, SecurityView } from "@/lib/contract/views/auth-view";
import type { MemberActor } from "@/lib/core/context";
import type { Services } from "@/lib/platform/services";

/** A member's own ways to sign in. */
export async function listSecurity(
  services: Pick<Services, "pool">,
  actor: Pick<MemberActor, "id">,
): Promise<SecurityView> {
  const [passkeys, recoveryCodes] = await Promise.all([
    listPasskeys(services, actor.id),
    countRecoveryCodes(services, actor.id),
  ]);
  return { passkeys, recoveryCodes };
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
