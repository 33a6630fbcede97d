import { z } from "zod";
import { hashRecordId } from "@/lib/core/assistants/record-id";
import type { Queryable } from "@/lib/platform/db/transaction";

/** A kind of record that the authorization server keeps; the names are those of `oidc-provider`. */
export type RecordModel = string;

/** What is known of a record besides its id, which is a secret and kept as a hash. */
export interface NewRecord {
  model: RecordModel;
  id: string;
  /** Holds no secret. */
  payload: Record<string, unknown>;
  /** Of what belongs to the connection of an assistant: api_keys. */
  connection: { organizationId: string; id: string } | null;
  /** Of a token: the resource that it is for. */
  audience: string | null;
  /** Real time. Null: as long as it is not deleted. */
  expiresAt: Date | null;
}

export interface FoundRecord {
  payload: Record<string, unknown>;
  /** Real time. */
  consumedAt: Date | null;
  expiresAt: Date | null;
}

const foundSchema = z.object({
  payload: z.record(z.string(), z.unknown()),
  consumed_at: z.date().nullable(),
  expires_at: z.date().nullable(),
});

/** Writes a record, or what has changed of it. What was consumed stays consumed. */
export async function saveRecord(database: Queryable, record: NewRecord, now: Date): Promise<void> {
  const { model, id, payload, connection, audience, expiresAt } = record;
  await database.query({
    name: "save_oauth_record",
    text: `
      insert into oauth_records as r
          (model, id_hash, organization_id, grant_id, audience, payload, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
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
    ],
  });
}

/**
 * Finds a record, expired ones too. What belongs to a connection is not found once that has ended: the end counts at
 * once, also for what was written while it ended.
 */
export async function findRecord(
  database: Queryable,
  model: RecordModel,
  id: string,
): Promise<FoundRecord | null> {
  const { rows } = await database.query({
    name: "find_oauth_record",
    text: `
      select r.payload, r.consumed_at, r.expires_at from oauth_records r
       where r.model = $1 and r.id_hash = $2
         and (r.grant_id is null or exists (
           select 1 from api_keys k
            where k.organization_id = r.organization_id and k.id = r.grant_id and k.revoked_at is null))`,
    values: [model, hashRecordId(id)],
  });
  if (!rows[0]) return null;
  const row = foundSchema.parse(rows[0]);
  return { payload: row.payload, consumedAt: row.consumed_at, expiresAt: row.expires_at };
}

/** Consumes a record that counts once. False: it was consumed before, or is gone; of many at once, one gets true. */
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

/** Notes that a record was used; the first use counts. False: it is gone. */
export async function noteConsumed(
  database: Queryable,
  model: RecordModel,
  id: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "note_oauth_record_consumed",
    text: `update oauth_records set consumed_at = coalesce(consumed_at, $3)
            where model = $1 and id_hash = $2`,
    values: [model, hashRecordId(id), now],
  });
  return rowCount === 1;
}

/**
 * Whether a refresh token that was used got its answer as far as the next one: where Sluice stopped in between, nobody
 * has one, and its client can only come again with the old one.
 */
export async function hasSuccessor(database: Queryable, refreshToken: string): Promise<boolean> {
  const { rows } = await database.query<{ exists: boolean }>({
    name: "has_refresh_successor",
    text: `
      select exists (
        select 1 from oauth_records used join oauth_records later
            on later.grant_id = used.grant_id and later.model = 'RefreshToken' and later.id_hash <> used.id_hash
         where used.model = 'RefreshToken' and used.id_hash = $1 and later.created_at >= used.consumed_at)`,
    values: [hashRecordId(refreshToken)],
  });
  return rows[0]?.exists ?? false;
}

export async function deleteRecord(database: Queryable, model: RecordModel, id: string): Promise<void> {
  await database.query({
    name: "delete_oauth_record",
    text: "delete from oauth_records where model = $1 and id_hash = $2",
    values: [model, hashRecordId(id)],
  });
}

/** A registration is remembered for as long as what was issued to it, and never for less than before. */
export async function keepClientUntil(database: Queryable, clientId: string, until: Date): Promise<void> {
  await database.query({
    name: "keep_oauth_client",
    text: `update oauth_records set expires_at = $2
            where model = 'Client' and id_hash = $1 and expires_at < $2`,
    values: [hashRecordId(clientId), until],
  });
}
