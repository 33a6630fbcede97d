import type { Pool } from "pg";
import type { Queryable } from "@/lib/db/transaction";
import { type BankNotice, BankUnavailable } from "@/lib/ports/bank/bank-port";
import { endUnapplied } from "@/lib/ports/bank/unapplied";

/**
 * Lists what is known after asking the bank for what is new. A bank that does not answer keeps nothing back that it
 * reported before.
 * @throws BankUnavailable if it does not answer and nothing is known
 */
export async function collectThen<T>(collect: () => Promise<void>, list: () => Promise<T[]>): Promise<T[]> {
  try {
    await collect();
  } catch (error) {
    if (!(error instanceof BankUnavailable)) throw error;
    const known = await list();
    if (known.length === 0) throw error;
    return known;
  }
  return await list();
}

/** An event that was read. */
export interface ReadEvent {
  id: string;
  createdAt: Date;
}

/** Where listing begins: after an event, or at a time, as the bank lists them. Both null: at the first event. */
export interface FeedStart {
  afterId: string | null;
  since: Date | null;
}

/** Whether an event was understood itself: others may have no date, and no id of the bank's. */
const IS_UNDERSTOOD = `not exists (select from bank_unread_objects
  where feed = $1 and about = 'event:' || id and retry_at is null)`;

/** How far a bank's clock may be ahead. An event dated later says nothing about where the list is. */
const AHEAD = "interval '5 minutes'";

/** The start from which everything since this long before the latest event is listed again. */
export async function readStart(
  pool: Pool,
  feed: string,
  { overlapMs, now }: { overlapMs: number; now: Date },
): Promise<FeedStart> {
  const { rows } = await pool.query<FeedStart>({
    name: "bank_read_start",
    text: `select latest.since,
               coalesce(
                 (select id from bank_events where feed = $1 and created_at < latest.since and ${IS_UNDERSTOOD}
                   order by created_at desc, id limit 1),
                 (select id from bank_events where feed = $1 and ${IS_UNDERSTOOD}
                   order by created_at, id limit 1)) as "afterId"
             from (select max(created_at) - $2 * interval '1 millisecond' as since
                     from bank_events where feed = $1 and created_at <= $3::timestamptz + ${AHEAD}) latest`,
    values: [feed, overlapMs, now],
  });
  return rows[0] ?? { afterId: null, since: null };
}

/** Whether more than `count` events of the feed are kept. @param since the earliest that counts; null: all */
export async function hasMoreThan(
  pool: Pool,
  feed: string,
  { count, since }: { count: number; since: Date | null },
): Promise<boolean> {
  const { rows } = await pool.query<{ hasMore: boolean }>({
    name: "bank_has_more_events",
    text: `select count(*) > $3 as "hasMore" from (
             select from bank_events where feed = $1 and created_at >= coalesce($2::timestamptz, '-infinity')
              limit $3 + 1) kept`,
    values: [feed, since, count],
  });
  return rows[0]?.hasMore === true;
}

/** Which of these events have been read. One that was not understood has not: each listing tries it again. */
export async function findRead(pool: Pool, feed: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: "bank_known_events",
    text: `select id from bank_events where feed = $1 and id = any ($2) and ${IS_UNDERSTOOD}`,
    values: [feed, ids],
  });
  return new Set(rows.map((row) => row.id));
}

/** Marks events as read. */
export async function keepEvents(
  database: Queryable,
  feed: string,
  events: readonly ReadEvent[],
): Promise<void> {
  await keepNotices(database, { feed, events }, []);
}

/** Events and notices in one statement: events count as read only with what was learned from them. */
export async function keepNotices(
  database: Queryable,
  { feed, events }: { feed: string; events: readonly ReadEvent[] },
  notices: readonly BankNotice[],
): Promise<void> {
  if (events.length === 0 && notices.length === 0) return;
  await database.query({
    name: "bank_keep_notices",
    text: `with read as (
             insert into bank_events (feed, id, created_at)
             select $1, * from unnest($2::text[], $3::timestamptz[]) on conflict do nothing)
           insert into bank_inbox (organization_id, notice_reference, notice, occurred_at)
           select * from unnest($4::uuid[], $5::text[], $6::jsonb[], $7::timestamptz[])
           on conflict (organization_id, notice_reference) do nothing`,
    values: [
      feed,
      events.map((event) => event.id),
      events.map((event) => event.createdAt),
      notices.map((notice) => notice.organizationId),
      notices.map((notice) => notice.noticeReference),
      notices.map((notice) => JSON.stringify(notice)),
      notices.map((notice) => notice.occurredAt),
    ],
  });
}

/** Forgets events that no pass lists again, a day after they were read. */
export async function forgetRead(
  pool: Pool,
  feed: string,
  { overlapMs, now }: { overlapMs: number; now: Date },
): Promise<void> {
  await pool.query({
    name: "bank_forget_events",
    text: `delete from bank_events where feed = $1 and read_at < now() - interval '1 day' and created_at < (
             select max(old.created_at) from bank_events old
              where old.feed = $1 and old.created_at < (
                select max(created_at) - $2 * interval '1 millisecond' from bank_events
                 where feed = $1 and created_at <= $3::timestamptz + ${AHEAD}))`,
    values: [feed, overlapMs, now],
  });
}

/** Whether a notice `i` waits; see BankPort.setAside. */
const IS_WAITING = `exists (
  select from bank_unapplied_notices u
   where u.organization_id = i.organization_id and u.retry_at > $1
     and u.subject = coalesce(i.notice ->> 'transferId', i.notice ->> 'depositReference')
     and (u.notice_reference = i.notice_reference or i.notice ->> 'kind' not in ('DEPOSITED', 'SETTLED')))`;

/** See BankPort.notices. A bank may say before it happens what will: a check is due when its hold ends. */
export async function listNotices(
  pool: Pool,
  input: { organizationId: string; businessNow: Date; limit: number },
): Promise<BankNotice[]> {
  const { rows } = await pool.query<{ notice: BankNotice }>({
    name: "bank_list_notices",
    text: `select i.notice from bank_inbox i
            where i.organization_id = $2 and i.acknowledged_at is null and i.occurred_at <= $1 and not ${IS_WAITING}
            order by i.occurred_at, i.number limit $3`,
    values: [input.businessNow, input.organizationId, input.limit],
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
  await endUnapplied(pool, input);
}

/** See BankPort.organizationsWithNotices. */
export async function listOrganizations(
  pool: Pool,
  input: { realNow: Date; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ organizationId: string }>({
    name: "bank_list_organizations",
    text: `select i.organization_id as "organizationId" from bank_inbox i
            where i.acknowledged_at is null and i.occurred_at <= $1 and not ${IS_WAITING}
            group by i.organization_id order by min(i.occurred_at), i.organization_id limit $2`,
    values: [input.realNow, input.limit],
  });
  return rows.map((row) => row.organizationId);
}
