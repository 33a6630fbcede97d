import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/** Whether a member has a sign-in method besides their password. */
export async function hasEnrolledFactor(client: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 where exists (select from passkeys where user_id = $1)
       or exists (select from authenticators where user_id = $1 and confirmed_at is not null)`,
    [userId],
  );
  return rowCount === 1;
}

/**
 * In the transaction that removed a passkey or app, with the member's row locked: refuses if it was the last one and an
 * organization of theirs requires one, which would lock them out at their next sign-in.
 * @throws AppError `INVALID_PARAMETERS`, which undoes the removal.
 */
export async function keepAskedFactor(client: Queryable, userId: string): Promise<void> {
  if (await hasEnrolledFactor(client, userId)) return;
  const { rows } = await client.query<{ name: string }>(
    `select o.name from memberships m join organizations o on o.id = m.organization_id
      where m.user_id = $1 and o.requires_second_factor order by o.name limit 1`,
    [userId],
  );
  const asking = rows[0];
  if (!asking) return;
  throw new AppError(
    "INVALID_PARAMETERS",
    `${asking.name} requires a second factor, and this is your last one. Nothing was removed. Add another one first.`,
  );
}

export interface StoredPasskey {
  credentialId: string;
  transports: string[];
}

/** A member's passkeys, oldest first, and whether their password also requires an app's code. */
export async function readSecondFactors(
  database: Queryable,
  userId: string,
): Promise<{ passkeys: StoredPasskey[]; hasAuthenticator: boolean }> {
  const { rows } = await database.query<{ passkeys: StoredPasskey[] | null; hasAuthenticator: boolean }>({
    name: "read_second_factors",
    text: `
      select exists (select from authenticators where user_id = $1 and confirmed_at is not null) as "hasAuthenticator",
          (select jsonb_agg(jsonb_build_object('credentialId', p.credential_id, 'transports', p.transports))
             from (select credential_id, transports from passkeys where user_id = $1 order by created_at limit 100) p)
            as passkeys`,
    values: [userId],
  });
  return { passkeys: rows[0]?.passkeys ?? [], hasAuthenticator: rows[0]?.hasAuthenticator === true };
}

/** Whether a member confirms with a passkey, and therefore never with less. */
export async function hasPasskey(database: Queryable, userId: string): Promise<boolean> {
  const { rows } = await database.query<{ hasPasskey: boolean }>({
    name: "has_passkey",
    text: `select exists (select from passkeys where user_id = $1) as "hasPasskey"`,
    values: [userId],
  });
  return rows[0]?.hasPasskey === true;
}

/**
 * In the transaction that adds a passkey or app: its use proves it, so this session has given a second factor. The
 * member's other sessions have not.
 */
export async function noteSecondFactor(
  client: Queryable,
  actor: Pick<MemberActor, "id" | "sessionId">,
): Promise<void> {
  await client.query("update sessions set has_second_factor = true where id = $1 and user_id = $2", [
    actor.sessionId,
    actor.id,
  ]);
}
