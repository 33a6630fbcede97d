import { addBankingDays, bankingDateOf, bankingInstant, nextBankingDay } from "@/lib/contract/banking-days";
import { applyTransactions, type ExternalTransactionNews } from "@/lib/core/connections/apply-transactions";
import { writeBalances } from "@/lib/core/connections/write-balances";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import type {
  AggregatorPort,
  ProviderBalance,
  TransactionBatch,
} from "@/lib/ports/aggregator/aggregator-port";

interface FetchedBatch {
  /** The cursor that was read from: the batch is valid only while the connection still has it. */
  fromCursor: string | null;
  batch: TransactionBatch;
  /** With the last batch of a refresh. */
  balances: readonly ProviderBalance[] | null;
}

/** A provider takes minutes to hours to collect a new connection's history. */
const COLLECTING_MS = 24 * 60 * 60_000;
const ASK_AGAIN_MS = 5 * 60_000;

/**
 * Applies a fetched batch in full or not at all. Cursors chain the pages: one that does not start at the connection's
 * cursor was already applied by another worker, or its connection has ended, and is dropped. So each page counts once
 * and in order, whatever crashes between fetching and applying.
 * @returns what is new or has settled; null when the page was dropped.
 */
export async function applyRefresh(
  services: Pick<Services, "pool">,
  connection: LeasedConnection,
  fetched: FetchedBatch,
  businessNow: Date,
): Promise<ExternalTransactionNews[] | null> {
  const { organizationId, id } = connection;
  return await inTransaction(services.pool, async (client) => {
    if (!(await lockAt(client, connection, fetched.fromCursor))) return null;
    const accountIds = await readAccountIds(client, organizationId, id);
    const news = await applyTransactions(
      client,
      { organizationId, accountIds, businessNow, connectedAt: connection.connectedAt },
      fetched.batch.changes,
    );
    if (fetched.balances) await writeBalances(client, organizationId, accountIds, fetched.balances);
    await advance(client, connection, fetched, businessNow);
    if (fetched.balances) await noteRefresh(client, connection, businessNow, true);
    await fireOnArrivals(client, organizationId, news, businessNow);
    return news;
  });
}

/** Settled money on a connected account triggers rules once it is noticed (docs/behavior/rules.md, "Triggers"). */
async function fireOnArrivals(
  client: Queryable,
  organizationId: string,
  news: readonly ExternalTransactionNews[],
  businessNow: Date,
): Promise<void> {
  const arrivals = news.filter(
    ({ status, direction, isBackfill, transferId }) =>
      status === "COMPLETE" && direction === "MONEY_IN" && !isBackfill && transferId === null,
  );
  if (arrivals.length === 0) return;
  await client.query({
    name: "fire_on_external_transactions",
    text: "select fire_on_external_transactions($1, $2, $3)",
    values: [organizationId, arrivals.map(({ id }) => id), businessNow],
  });
}

async function lockAt(
  client: Queryable,
  { organizationId, id }: LeasedConnection,
  cursor: string | null,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: "lock_connection_at_cursor",
    text: `
      select 1 from connections
       where organization_id = $1 and id = $2 and status = 'ACTIVE' and cursor is not distinct from $3
         for update`,
    values: [organizationId, id, cursor],
  });
  return rowCount === 1;
}

/** Includes accounts closed here: their past transactions still count. */
async function readAccountIds(
  client: Queryable,
  organizationId: string,
  connectionId: string,
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ providerAccountId: string; id: string }>({
    name: "read_accounts_of_connection",
    text: `select provider_account_id as "providerAccountId",
        id from accounts where organization_id = $1 and connection_id = $2`,
    values: [organizationId, connectionId],
  });
  return new Map(rows.map((row) => [row.providerAccountId, row.id]));
}

async function advance(
  client: Queryable,
  { organizationId, id, connectedAt }: LeasedConnection,
  { batch, balances }: FetchedBatch,
  businessNow: Date,
): Promise<void> {
  const isLast = balances !== null;
  const isCollecting =
    !batch.isHistoryComplete && businessNow.getTime() - connectedAt.getTime() < COLLECTING_MS;
  const soon = new Date(businessNow.getTime() + ASK_AGAIN_MS);
  await client.query({
    name: "advance_connection",
    text: `
      update connections set cursor = $3, attempts = 0, error_code = null, failing_since = null,
          refresh_due_at = case when $4 then $5::timestamptz else refresh_due_at end,
          last_refreshed_at = case when $4 then $6::timestamptz else last_refreshed_at end,
          leased_until = case when $4 then null else leased_until end
       where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      id,
      batch.nextCursor,
      isLast,
      isCollecting ? soon : nextRefreshAt(id, businessNow),
      businessNow,
    ],
  });
}

/** A connection that this worker refreshes until the lease ends. */
export interface LeasedConnection {
  organizationId: string;
  id: string;
  providerItemId: string;
  sealedAccessToken: Buffer | null;
  cursor: string | null;
  attempts: number;
  /** Business time. */
  connectedAt: Date;
  leasedUntil: Date;
  clockOffsetMs: number;
}

/** Longer than all of the provider's time-outs together. */
const LEASE_MS = 5 * 60_000;
/** Organizations with a moved clock: a handful in a sandbox. */
const MAX_MOVED_CLOCKS = 1_000;

/**
 * Leases due connections of the configured provider, longest overdue first, and commits before the provider is called.
 * Business time is never behind real time, so what is due by real time is due everywhere; organizations with a moved
 * clock may have more and are checked one by one.
 */
export async function leaseConnections(
  services: Pick<Services, "pool" | "clock">,
  provider: AggregatorPort["provider"],
  limit: number,
): Promise<LeasedConnection[]> {
  const { rows } = await services.pool.query<LeasedConnection>({
    name: "lease_connections",
    text: `
      with due_by_real_time as materialized (
        select organization_id, id from connections
         where refresh_due_at <= $1 and provider = $5 and (leased_until is null or leased_until <= $1)
         order by refresh_due_at limit $3),
      moved as (
        select id, clock_offset_ms from organizations where clock_offset_ms > 0 limit $4),
      due_by_moved_clock as materialized (
        select c.organization_id, c.id
          from moved join connections c on c.organization_id = moved.id
         where c.refresh_due_at <= $1::timestamptz + moved.clock_offset_ms * interval '1 millisecond'
           and c.provider = $5 and (c.leased_until is null or c.leased_until <= $1)
         order by c.refresh_due_at limit $3),
      due as materialized (
        select c.organization_id, c.id from connections c
         where (c.organization_id, c.id) in
               (select organization_id, id from due_by_real_time union select organization_id, id from due_by_moved_clock)
           and c.refresh_due_at is not null and (c.leased_until is null or c.leased_until <= $1)
         order by c.refresh_due_at limit $3
           for update skip locked)
      update connections c set leased_until = $1::timestamptz + $2 * interval '1 millisecond'
        from due join organizations o on o.id = due.organization_id
       where c.organization_id = due.organization_id and c.id = due.id
      returning c.organization_id as "organizationId", c.id, c.provider_item_id as "providerItemId",
          c.sealed_access_token as "sealedAccessToken", c.cursor, c.attempts,
          c.created_at as "connectedAt", c.leased_until as "leasedUntil",
          o.clock_offset_ms as "clockOffsetMs"`,
    values: [services.clock.now(), LEASE_MS, limit, MAX_MOVED_CLOCKS, provider],
  });
  return rows;
}

/** Adds a refresh to the counts of its day, in the transaction of its outcome. */
export async function noteRefresh(
  client: Queryable,
  { organizationId, id }: { organizationId: string; id: string },
  businessNow: Date,
  hasSucceeded: boolean,
): Promise<void> {
  await client.query({
    name: "note_refresh",
    text: `
      insert into connection_days as kept (organization_id, connection_id, day, succeeded, failed)
      select o.id, $2, ($3::timestamptz at time zone o.time_zone)::date, $4::boolean::int, 1 - $4::boolean::int
        from organizations o where o.id = $1
      on conflict (organization_id, connection_id, day) do update set
          succeeded = kept.succeeded + excluded.succeeded, failed = kept.failed + excluded.failed`,
    values: [organizationId, id, businessNow, hasSucceeded],
  });
}

const MINUTE_MS = 60_000;
/** Institutions post overnight; this is before people look at their balances. New York time. */
const FIRST_REFRESH = "05:00";
const SPREAD_MINUTES = 90;
const RETRY_MINUTES = [1, 5, 30, 120, 360];
/** From this failure on, the balances of an unresponsive connection count as unknown. */
export const FAILURES_UNTIL_UNKNOWN = 4;

/**
 * When a connection is refreshed next after a success: early on the next banking day, at its own minute, so that
 * thousands do not refresh at once.
 */
export function nextRefreshAt(connectionId: string, now: Date): Date {
  const today = bankingDateOf(now);
  const minute = Number.parseInt(connectionId.slice(-4), 16) % SPREAD_MINUTES;
  const on = (date: string) => new Date(bankingInstant(date, FIRST_REFRESH).getTime() + minute * MINUTE_MS);
  const isToday = addBankingDays(today, 0) === today && on(today) > now;
  return on(isToday ? today : nextBankingDay(today));
}

/** When to try again after the `failures`-th failure in a row (1 or more). */
export function retryAt(failures: number, now: Date): Date {
  const minutes = RETRY_MINUTES[Math.min(failures, RETRY_MINUTES.length) - 1] ?? 1;
  return new Date(now.getTime() + minutes * MINUTE_MS);
}
