import { GRACE_MS, type Grace } from "@/lib/contract/api-key";
import { AppError } from "@/lib/contract/error";
import { type Permission, permissionsSchema } from "@/lib/contract/permissions";
import type { MadeKey, WantedKey } from "@/lib/contract/policies/asked-change";
import { type AskedKey, insertApiKey, newSecret, noteNewKey } from "@/lib/core/keys/create-api-key";
import { endApiKey } from "@/lib/core/keys/revoke-api-key";
import { askForSignatures, endOutdatedChange } from "@/lib/core/policies/asked-changes";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

interface OldKey {
  name: string;
  permissions: Permission[];
  dailyCapInCents: number | null;
  isOver: boolean;
}

/**
 * Creates a new key with the name, permissions and daily cap of an old one, which stays valid for a grace period of
 * business time; its proposals wait until then. Without grace it is revoked in the same transaction. Where the policy in force
 * asks for the signatures of others, both happen with the last one; until then the new secret opens nothing.
 * @throws NotConfirmed without presence; AppError `ACCESS_DENIED` unless an owner or co-owner asks;
 * `INVALID_PARAMETERS` for an unknown key, and for one already revoked or replaced.
 */
export async function replaceApiKey(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { keyId, grace }: { keyId: string; grace: Grace },
): Promise<MadeKey> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may replace a key. Nothing was changed.");
  }
  const made = await inTransaction(services.pool, async (client): Promise<MadeKey> => {
    const { actor, organizationId } = context;
    const method = await requirePresence(client, actor, services.clock.now(), `REPLACE_KEY:${keyId}`);
    await lockOrganization(client, organizationId);
    const old = requireActive(await lockOldKey(client, organizationId, keyId));
    await requireDecider(client, context, "replace a key");
    const { secret, ...key } = newSecret(context.now, old);
    const wanted = { what: "REPLACED_KEY", ...key, oldKeyId: keyId, grace } as const;
    const asked = { wanted, subject: old.name, keyHash: secret.keyHash };
    const href = await askForSignatures(client, context, asked, method);
    if (href !== null) return { kind: "ASKED", href, text: secret.text };
    await replace(client, context, wanted, { askedById: actor.id, keyHash: secret.keyHash });
    return { kind: "CREATED", id: key.keyId, text: secret.text };
  });
  services.wake(SEND_NOTICES);
  return made;
}

type WantedReplacement = Extract<WantedKey, { what: "REPLACED_KEY" }>;

/**
 * Replaces a key as was asked for, with the last signature. The caller holds the old key (`lockOldKey`).
 * @returns false if the old key ended or its cap was changed meanwhile
 */
export async function applyReplacedKey(
  client: Queryable,
  context: Context<MemberActor>,
  wanted: WantedReplacement,
  asked: AskedKey,
): Promise<boolean> {
  const old = await lockOldKey(client, context.organizationId, wanted.oldKeyId);
  if (!old || old.isOver || old.dailyCapInCents !== wanted.dailyCapInCents) return false;
  await replace(client, context, wanted, asked);
  return true;
}

async function replace(
  client: Queryable,
  context: Context<MemberActor>,
  { oldKeyId, keyId, grace, ...key }: WantedReplacement,
  { askedById, keyHash }: AskedKey,
): Promise<void> {
  const { organizationId, now } = context;
  await insertApiKey(client, context, { ...key, id: keyId, keyHash, createdById: askedById });
  // Replacing a key must neither reset its daily cap, nor let its program ask again for what it must not.
  await client.query("select hand_on_key_day($1, $2, $3, $4), hand_on_denied_requests($1, $2, $3, $4)", [
    organizationId,
    oldKeyId,
    keyId,
    now,
  ]);
  await client.query(
    "update api_keys set ends_at = $3, replaced_by = $4 where organization_id = $1 and id = $2",
    [organizationId, oldKeyId, new Date(now.getTime() + GRACE_MS[grace]), keyId],
  );
  if (grace === "NONE") {
    await endApiKey(client, { organizationId, keyId: oldKeyId, now }, { because: "REPLACED" });
  }
  await endOutdatedChange(client, context, "REPLACED_KEY", oldKeyId);
  await noteNewKey(client, context, { id: keyId });
}

/** Null: the organization has no such key. */
export async function lockOldKey(
  client: Queryable,
  organizationId: string,
  keyId: string,
): Promise<OldKey | null> {
  const { rows } = await client.query<OldKey & { permissions: unknown }>(
    `select name, permissions, daily_cap_in_cents as "dailyCapInCents",
        revoked_at is not null or ends_at is not null as "isOver"
       from api_keys where organization_id = $1 and id = $2 and client_id is null for update`,
    [organizationId, keyId],
  );
  const [row] = rows;
  return row ? { ...row, permissions: permissionsSchema.parse(row.permissions) } : null;
}

function requireActive(old: OldKey | null): OldKey {
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
