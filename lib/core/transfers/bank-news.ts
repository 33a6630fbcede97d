import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** What is behind by less than this arrives by itself before anyone has read a sentence about it. */
const LATE_AFTER_MS = 5 * 60_000;
const LOGGED_PER_ROUND = 20;

/** Figures of the whole database, for metrics. */
export interface BankNewsFigures {
  /** Objects at the bank that events are about and that cannot be read. */
  unread: number;
  /** Notices that cannot be booked. */
  unapplied: number;
  /** Since the oldest of both was set aside; 0: there is none. */
  oldestSeconds: number;
  /** Since the end of the bank's list of events was reached; null: the bank has no such list. */
  ageSeconds: number | null;
}

export async function readBankNewsFigures({
  pool,
  clock,
}: Pick<Services, "pool" | "clock">): Promise<BankNewsFigures> {
  const { rows } = await pool.query<BankNewsFigures>({
    name: "read_bank_news_figures",
    text: `
      select (select count(*) from bank_unread_objects)::int as unread,
        (select count(*) from bank_unapplied_notices)::int as unapplied,
        greatest(0, (select extract(epoch from $1 - min(first_failed_at)) from bank_unread_objects),
          (select max(extract(epoch from $1 - u.first_failed_at) + o.clock_offset_ms / 1000.0)
            from bank_unapplied_notices u join organizations o on o.id = u.organization_id))::float8 as "oldestSeconds",
        (select greatest(0, extract(epoch from $1 - max(coalesce(ended_at, begun_at)))) from bank_feeds
          where reach = 'NEAR')::float8 as "ageSeconds"`,
    values: [clock.now()],
  });
  if (!rows[0]) throw new Error("The figures of the bank's news have a row");
  return rows[0];
}

/**
 * Since when an organization's deposits, settlements and returns may be missing: the bank's list was not read to its
 * end, or something of this organization is set aside. Null: all arrived.
 * @param now business time
 */
export async function readNewsLateSince(
  database: Queryable,
  organizationId: string,
  now: Date,
): Promise<Date | null> {
  const { rows } = await database.query<{ since: Date | null }>({
    name: "read_bank_news_late_since",
    text: `
      select least(
        (select f.since from (
          select max(coalesce(ended_at, begun_at)) as since from bank_feeds where reach = 'NEAR') f
          where f.since < $2),
        (select min(o.event_at) from bank_unread_objects o where o.organization_id = $1 and o.first_failed_at < $2),
        (select min(u.first_failed_at) from bank_unapplied_notices u
          where u.organization_id = $1 and u.first_failed_at < $2)) as since`,
    values: [organizationId, new Date(now.getTime() - LATE_AFTER_MS)],
  });
  return rows[0]?.since ?? null;
}

/** Logs once what could not be read. Workers share the database: the first one to claim a row logs it. */
export async function logUnread(services: Pick<Services, "pool" | "clock" | "log">): Promise<void> {
  const { rows } = await services.pool.query<{
    about: string;
    reason: string;
    organizationId: string | null;
    eventId: string | null;
  }>({
    name: "claim_unread_to_log",
    text: `update bank_unread_objects o set logged_at = $1
             from (select feed, about from bank_unread_objects where logged_at is null
                    order by first_failed_at limit $2 for no key update skip locked) n
            where o.feed = n.feed and o.about = n.about
           returning o.about, o.reason, o.organization_id as "organizationId", o.event_id as "eventId"`,
    values: [services.clock.now(), LOGGED_PER_ROUND],
  });
  for (const unread of rows) {
    services.log.warn(unread, "something at the bank could not be read; it is set aside and tried again");
  }
}
