import type { CanonicalEntry } from "@/lib/core/audit/audit-digest";
import type { Queryable } from "@/lib/db/transaction";

/** A stored link of an organization's chain with the entry that it seals. Hashes are hexadecimal. */
export interface Seal {
  sequence: number;
  sealedAt: string;
  entryId: string;
  entryHash: string;
  hash: string;
  /** Null: the entry is not in the database. */
  entry: CanonicalEntry | null;
}

const PAGE_SIZE = 1_000;

/**
 * An organization's seals in order, read page by page to bound memory. The entry of a seal is null if it is archived.
 * @param lastSequence where to end; seals added later are left out
 * @param afterSequence where to begin: behind this one
 */
export async function* readSeals(
  database: Queryable,
  organizationId: string,
  lastSequence: number,
  afterSequence = 0,
): AsyncGenerator<Seal> {
  let after = afterSequence;
  for (;;) {
    const { rows } = await database.query<Seal>({
      name: "read_seals",
      text: READ_SEALS,
      values: [organizationId, after, lastSequence, PAGE_SIZE],
    });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    after = last.sequence;
  }
}

/** The sequence of the newest seal; 0 when there is none. */
export async function readLastSequence(database: Queryable, organizationId: string): Promise<number> {
  const { rows } = await database.query<{ sequence: number }>({
    name: "read_last_sequence",
    text: "select sequence from audit_seals where organization_id = $1 order by sequence desc limit 1",
    values: [organizationId],
  });
  return rows[0]?.sequence ?? 0;
}

/**
 * With microseconds and era: otherwise a small change of time, or one of 4,000 years, would hash alike. Independent of
 * the sealing function, because anyone who can alter an entry can alter that function.
 */
export const instant = (column: string) => `
  to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    || case when ${column} < '0001-01-01 00:00:00+00' then ' BC' else '' end`;

/** `offset 0` keeps the lookup per entry, where a join might read the whole log for each page. */
const READ_SEALS = `
  with page as materialized (
    select * from audit_seals
     where organization_id = $1 and sequence > $2 and sequence <= $3
     order by sequence limit $4)
  select s.sequence, ${instant("s.sealed_at")} as "sealedAt", s.entry_id as "entryId",
         encode(s.entry_hash, 'hex') as "entryHash", encode(s.hash, 'hex') as hash, sealed.entry
    from page s
    left join lateral (
      select json_build_object('organizationId', e.organization_id, 'id', e.id, 'createdAt', ${instant("e.created_at")},
               'apiKeyId', e.api_key_id, 'apiKeyName', e.api_key_name, 'method', e.method, 'path', e.path,
               'action', e.action, 'reason', e.reason, 'requestId', e.request_id, 'outcome', e.outcome,
               'errorCode', e.error_code, 'errorDetail', e.error_detail) as entry
        from audit_entries e where e.organization_id = $1 and e.id = s.entry_id offset 0) sealed on true
   order by s.sequence`;
