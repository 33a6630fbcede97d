import type { Pool } from "pg";
import type { Queryable } from "@/lib/db/transaction";
import type { BankNotice } from "@/lib/ports/bank/bank-port";

/** An event may become visible after a later one: this much of the feed is listed again. */
export const EVENT_OVERLAP_MS = 5 * 60_000;

/** An event of a bank. `feed` names whose events they are. */
export interface ReadEvent {
  feed: string;
  id: string;
  createdAt: string | Date;
}

/** When the latest event was created that has been read; null: none yet. */
export async function readUntil(pool: Pool, feed: string): Promise<Date | null> {
  const { rows } = await pool.query<{ read_until: Date | null }>({
    name: "bank_read_until",
    text: "select max(created_at) as read_until from bank_events where feed = $1",
    values: [feed],
  });
  return rows[0]?.read_until ?? null;
}

/**
 * The event to continue after, for a bank that lists what follows an event: the latest that is older than the overlap,
 * or else the earliest one kept.
 */
export async function readAfter(pool: Pool, feed: string): Promise<ReadEvent | null> {
  const { rows } = await pool.query<{ id: string; created_at: Date }>({
    name: "bank_read_after",
    text: `with feed as (
             select id, created_at, created_at < max(created_at) over () - $2 * interval '1 ms' as is_old
               from bank_events where feed = $1)
           select id, created_at from feed
            order by is_old desc, case when is_old then -extract(epoch from created_at) else extract(epoch from created_at) end, id
            limit 1`,
    values: [feed, EVENT_OVERLAP_MS],
  });
  const [row] = rows;
  return row ? { feed, id: row.id, createdAt: row.created_at } : null;
}

/** Which of these events have been read. */
export async function findRead(pool: Pool, feed: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: "bank_known_events",
    text: "select id from bank_events where feed = $1 and id = any ($2)",
    values: [feed, ids],
  });
  return new Set(rows.map((row) => row.id));
}

/** Event and notices in one statement: an event counts as read only with what it said. */
export async function keepNotices(
  database: Queryable,
  event: ReadEvent | null,
  notices: readonly BankNotice[],
): Promise<void> {
  await database.query({
    name: "bank_keep_notices",
    text: `with read as (
             insert into bank_events (feed, id, created_at)
             select $1, $2, $3::timestamptz where $2::text is not null on conflict do nothing)
           insert into bank_inbox (organization_id, notice_reference, notice, occurred_at)
           select * from unnest($4::uuid[], $5::text[], $6::jsonb[], $7::timestamptz[])
           on conflict (organization_id, notice_reference) do nothing`,
    values: [
      event?.feed ?? null,
      event?.id ?? null,
      event?.createdAt ?? null,
      notices.map((notice) => notice.organizationId),
      notices.map((notice) => notice.noticeReference),
      notices.map((notice) => JSON.stringify(notice)),
      notices.map((notice) => notice.occurredAt),
    ],
  });
}

/** Forgets events that no poll lists again. */
export async function forgetRead(pool: Pool, feed: string, before: Date): Promise<void> {
  await pool.query({
    name: "bank_forget_events",
    text: "delete from bank_events where feed = $1 and created_at < $2",
    values: [feed, before],
  });
}

/** See BankPort.notices. A bank may say before it happens what will: a check is due when its hold ends. */
export async function listNotices(
  pool: Pool,
  input: { organizationId: string; businessNow: Date; limit: number },
): Promise<BankNotice[]> {
  const { rows } = await pool.query<{ notice: BankNotice }>({
    name: "bank_list_notices",
    text: `select notice from bank_inbox where organization_id = $1 and acknowledged_at is null and occurred_at <= $3
            order by occurred_at, number limit $2`,
    values: [input.organizationId, input.limit, input.businessNow],
  });
  return rows.map(({ notice }) => revive(notice));
}

/** JSON keeps times as text. */
function revive(notice: BankNotice): BankNotice {
  const occurredAt = new Date(notice.occurredAt);
  if (notice.kind !== "SETTLED") return { ...notice, occurredAt };
  const finalAt = notice.finalAt && new Date(notice.finalAt);
  const availableAt = notice.availableAt && new Date(notice.availableAt);
  return { ...notice, occurredAt, finalAt, availableAt };
}

/** See BankPort.acknowledge. */
export async function acknowledgeNotices(
  pool: Pool,
  input: { organizationId: string; noticeReferences: string[]; businessNow: Date },
): Promise<void> {
  await pool.query({
    name: "bank_acknowledge",
    text: `update bank_inbox set acknowledged_at = $3
            where organization_id = $1 and notice_reference = any ($2) and acknowledged_at is null`,
    values: [input.organizationId, input.noticeReferences, input.businessNow],
  });
}

/** See BankPort.organizationsWithNotices. */
export async function listOrganizations(
  pool: Pool,
  input: { realNow: Date; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ organization_id: string }>({
    name: "bank_list_organizations",
    text: `select organization_id from bank_inbox where acknowledged_at is null and occurred_at <= $2
            group by organization_id order by min(occurred_at), organization_id limit $1`,
    values: [input.limit, input.realNow],
  });
  return rows.map((row) => row.organization_id);
}
