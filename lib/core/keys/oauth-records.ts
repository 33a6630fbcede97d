import { createHash } from "node:crypto";
import { z } from "zod";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** A kind of record that the authorization server stores, named as in `oidc-provider`. */
type RecordModel = string;

/** A record except its id, which is a secret and stored as a hash. */
export interface NewRecord {
  model: RecordModel;
  id: string;
  /** Holds no secret. */
  payload: Record<string, unknown>;
  /** For records of an assistant's connection: its row in api_keys. */
  connection: { organizationId: string; id: string } | null;
  /** For a token: the resource that it is for. */
  audience: string | null;
  /** Real time. Null: until deleted. */
  expiresAt: Date | null;
  /** For a refresh token: the one that was exchanged for it. */
  parentId?: string | undefined;
}

export interface FoundRecord {
  payload: Record<string, unknown>;
  /** Real time. */
  consumedAt: Date | null;
  expiresAt: Date | null;
}

const foundSchema = z.object({
  payload: z.record(z.string(), z.unknown()),
  consumedAt: z.date().nullable(),
  expiresAt: z.date().nullable(),
});

/** Writes a record, or its changes. A consumed record stays consumed. */
export async function saveRecord(database: Queryable, record: NewRecord, now: Date): Promise<void> {
  const { model, id, payload, connection, audience, expiresAt, parentId } = record;
  await database.query({
    name: "save_oauth_record",
    text: `
      insert into oauth_records as r
          (model, id_hash, organization_id, grant_id, audience, payload, created_at, expires_at, parent_hash)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        on conflict (model, id_hash) do update
          set payload = excluded.payload, audience = excluded.audience, expires_at = excluded.expires_at`,
    values: [
      model,
      hashRecordId(id),
      connection?.organizationId ?? null,
      connection?.id ?? null,
      audience,
      JSON.stringify(payload),
      now,
      expiresAt,
      parentId === undefined ? null : hashRecordId(parentId),
    ],
  });
}

/**
 * Finds a record, even an expired one. Records of a connection are not found once it has ended: the end takes effect at
 * once, even for what was written concurrently.
 */
export async function findRecord(
  database: Queryable,
  model: RecordModel,
  id: string,
): Promise<FoundRecord | null> {
  const { rows } = await database.query({
    name: "find_oauth_record",
    text: `
      select r.payload, r.consumed_at as "consumedAt", r.expires_at as "expiresAt" from oauth_records r
       where r.model = $1 and r.id_hash = $2
         and (r.grant_id is null or exists (
           select 1 from api_keys k
            where k.organization_id = r.organization_id and k.id = r.grant_id and k.revoked_at is null))`,
    values: [model, hashRecordId(id)],
  });
  if (!rows[0]) return null;
  const row = foundSchema.parse(rows[0]);
  return { payload: row.payload, consumedAt: row.consumedAt, expiresAt: row.expiresAt };
}

/** Consumes a single-use record. False: already consumed, or gone; of concurrent calls, one gets true. */
export async function consumeOnce(
  database: Queryable,
  model: RecordModel,
  id: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "consume_oauth_record",
    text: `update oauth_records set consumed_at = $3
            where model = $1 and id_hash = $2 and consumed_at is null`,
    values: [model, hashRecordId(id), now],
  });
  return rowCount === 1;
}

/** A used refresh token exchanged for the same one as `r`, by an earlier version: only one of the two continues. */
const SIBLING_WAS_USED = `
  exists (select 1 from oauth_records s
           where s.grant_id = r.grant_id and s.model = r.model and s.parent_hash = r.parent_hash
             and s.id_hash <> r.id_hash and s.consumed_at is not null)`;
/** A used one that `r` was exchanged for: its response was not lost. */
const CHILD_WAS_USED = `
  exists (select 1 from oauth_records s
           where s.grant_id = r.grant_id and s.model = r.model and s.parent_hash = r.id_hash
             and s.consumed_at is not null)`;
/** If Sluice stopped in between there is no successor, and the client can only retry with the old token. */
const HAS_SUCCESSOR = `
  exists (select 1 from oauth_records s
           where s.grant_id = r.grant_id and s.model = r.model and s.id_hash <> r.id_hash
             and s.created_at >= r.consumed_at)`;

/**
 * The window in which a used refresh token counts again: since its first use, or since the retry of a use that Sluice
 * never answered.
 */
const LAST_ANSWERED = "coalesce(r.retried_at, r.consumed_at)";

/**
 * Uses a refresh token: once, and again within the window, for a client that lost the response or runs as several
 * processes. Each gets the same successor.
 * @param retriedSince where the window begins; uses before this moment are not retries
 * @returns false: it is no longer valid, or a concurrent request used it
 */
export function consumeRefreshToken(
  { pool }: Pick<Services, "pool">,
  id: string,
  { now, retriedSince }: { now: Date; retriedSince: Date },
): Promise<boolean> {
  const hash = hashRecordId(id);
  return inTransaction(pool, async (client) => {
    // Of two exchanged for the same one, the second waits here and sees that the first was used.
    await client.query({
      name: "lock_refresh_chain",
      text: `select from oauth_records
              where model = 'RefreshToken' and id_hash in (
                $1, (select parent_hash from oauth_records where model = 'RefreshToken' and id_hash = $1))
              order by id_hash for update`,
      values: [hash],
    });
    const { rowCount } = await client.query({
      name: "consume_refresh_token",
      text: `
        update oauth_records r
           set consumed_at = coalesce(r.consumed_at, $2),
               retried_at = case when r.consumed_at is null or ${LAST_ANSWERED} > $3 then r.retried_at else $2 end
         where r.model = 'RefreshToken' and r.id_hash = $1
           and case when r.consumed_at is null then not ${SIBLING_WAS_USED}
                    when ${LAST_ANSWERED} > $3 then not ${CHILD_WAS_USED}
                    else not ${HAS_SUCCESSOR} end`,
      values: [hash, now, retriedSince],
    });
    return rowCount === 1;
  });
}

/**
 * Whether a refresh token is reused illegitimately: used before `retriedSince`, or its successor was used. Then two
 * parties hold it, and one of them stole it.
 */
export async function isRefreshReused(database: Queryable, id: string, retriedSince: Date): Promise<boolean> {
  const { rows } = await database.query<{ reused: boolean }>({
    name: "is_refresh_reused",
    text: `
      select case when r.consumed_at is null then ${SIBLING_WAS_USED}
                  else ${HAS_SUCCESSOR}
                    and (${LAST_ANSWERED} <= $2 or ${CHILD_WAS_USED}) end as reused
        from oauth_records r where r.model = 'RefreshToken' and r.id_hash = $1`,
    values: [hashRecordId(id), retriedSince],
  });
  return rows[0]?.reused ?? false;
}

export async function deleteRecord(database: Queryable, model: RecordModel, id: string): Promise<void> {
  await database.query({
    name: "delete_oauth_record",
    text: "delete from oauth_records where model = $1 and id_hash = $2",
    values: [model, hashRecordId(id)],
  });
}

/** Keeps a registration as long as what was issued to it, and never shortens it. */
export async function keepClientUntil(database: Queryable, clientId: string, until: Date): Promise<void> {
  await database.query({
    name: "keep_oauth_client",
    text: `update oauth_records set expires_at = $2
            where model = 'Client' and id_hash = $1 and expires_at < $2`,
    values: [hashRecordId(clientId), until],
  });
}

/**
 * The stored key of a record. Ids of codes and tokens are secrets with 256 random bits: the hash hides them from readers
 * of the table, and a slow hash would add nothing.
 */
export function hashRecordId(id: string): Buffer {
  return createHash("sha256").update(id).digest();
}

/** Whom a token acts for: a member in one organization, since a person may belong to several. */
export interface AccountId {
  organizationId: string;
  userId: string;
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const SHAPE = new RegExp(`^(${UUID}):(${UUID})$`);

export function writeAccountId({ organizationId, userId }: AccountId): string {
  return `${organizationId}:${userId}`;
}

/** Null for a malformed id. */
export function parseAccountId(text: string): AccountId | null {
  const [, organizationId, userId] = SHAPE.exec(text) ?? [];
  return organizationId === undefined || userId === undefined ? null : { organizationId, userId };
}

/** Whether this person belongs to the organization now; a former member has no rights there. */
export async function isMember(database: Queryable, { organizationId, userId }: AccountId): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "is_member",
    text: "select 1 from memberships where organization_id = $1 and user_id = $2",
    values: [organizationId, userId],
  });
  return rowCount === 1;
}
