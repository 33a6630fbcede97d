import { GRACE_MS, type Grace } from "@/lib/contract/api-key";
import { AppError } from "@/lib/contract/error";
import { permissionsSchema } from "@/lib/contract/permissions";
import { type NewKey, noteNewKey, writeApiKey } from "@/lib/core/keys/create-api-key";
import { endApiKey } from "@/lib/core/keys/revoke-api-key";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

interface OldKeyRow {
  name: string;
  permissions: unknown;
  dailyCapInCents: number | null;
  isOver: boolean;
}

/**
 * Creates a new key with the name, permissions and daily cap of an old one, which stays valid for a grace period of
 * business time; its proposals wait until then. Without grace it is revoked in the same transaction.
 * @throws NotConfirmed without presence; AppError `ACCESS_DENIED` unless an owner or co-owner asks;
 * `INVALID_PARAMETERS` for an unknown key, and for one already revoked or replaced.
 */
export async function replaceApiKey(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  { keyId, grace }: { keyId: string; grace: Grace },
): Promise<NewKey> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may replace a key. Nothing was changed.");
  }
  return inTransaction(services.pool, async (client) => {
    await requirePresence(client, context.actor, services.clock.now(), `REPLACE_KEY:${keyId}`);
    const old = await lockOldKey(client, context.organizationId, keyId);
    const key = await writeApiKey(client, context, {
      name: old.name,
      permissions: permissionsSchema.parse(old.permissions),
      dailyCapInCents: old.dailyCapInCents,
    });
    // Replacing a key must not reset its daily cap.
    await client.query("select hand_on_key_day($1, $2, $3, $4)", [
      context.organizationId,
      keyId,
      key.id,
      context.now,
    ]);
    const endsAt = new Date(context.now.getTime() + GRACE_MS[grace]);
    await client.query(
      "update api_keys set ends_at = $3, replaced_by = $4 where organization_id = $1 and id = $2",
      [context.organizationId, keyId, endsAt, key.id],
    );
    if (grace === "NONE") {
      const { organizationId, now } = context;
      await endApiKey(client, { organizationId, keyId, now }, { because: "REPLACED" });
    }
    await noteNewKey(client, context, key);
    return key;
  });
}

async function lockOldKey(client: Queryable, organizationId: string, keyId: string): Promise<OldKeyRow> {
  const { rows } = await client.query<OldKeyRow>(
    `select name, permissions, daily_cap_in_cents as "dailyCapInCents",
        revoked_at is not null or ends_at is not null as "isOver"
       from api_keys where organization_id = $1 and id = $2 and client_id is null for update`,
    [organizationId, keyId],
  );
  const old = rows[0];
  if (!old) throw new AppError("INVALID_PARAMETERS", "This organization has no such key.");
  if (old.isOver) {
    throw new AppError(
      "INVALID_PARAMETERS",
      "This key was already revoked or replaced. Create a new one instead.",
    );
  }
  return old;
}

/**
 * Revokes replaced keys after their grace period. They already stopped authenticating; what is left are waiting proposals
 * and unsent transfers. One transaction per key: two keys at once would lock ledgers before the other key's transfers.
 * @returns how many were due.
 */
export async function endReplacedKeys(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const { rows } = await services.pool.query<{
    organizationId: string;
    keyId: string;
    clockOffsetMs: number;
  }>({
    name: "find_keys_to_end",
    text: `
      select k.organization_id as "organizationId", k.id as "keyId", o.clock_offset_ms as "clockOffsetMs"
        from api_keys k join organizations o on o.id = k.organization_id
       where k.ends_at is not null and k.revoked_at is null
         and k.ends_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'
         and k.ends_at <= (select latest_business_time($1))
       order by k.ends_at limit $2`,
    values: [services.clock.now(), limit],
  });
  for (const { clockOffsetMs, ...ids } of rows) {
    const key = { ...ids, now: businessTime(services.clock, clockOffsetMs) };
    await endApiKey(services.pool, key, { because: "REPLACED" });
  }
  return rows.length;
}
