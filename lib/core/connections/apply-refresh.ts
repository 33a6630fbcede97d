import { applyTransactions, type ExternalTransactionNews } from "@/lib/core/connections/apply-transactions";
import type { LeasedConnection } from "@/lib/core/connections/lease-connections";
import { noteRefresh } from "@/lib/core/connections/note-refresh";
import { nextRefreshAt } from "@/lib/core/connections/refresh-times";
import { writeBalances } from "@/lib/core/connections/write-balances";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import type { ProviderBalance, TransactionBatch } from "@/lib/ports/aggregator/aggregator-port";

export interface FetchedBatch {
  /** The cursor that was read from: what was read is good only while it is still the connection's. */
  fromCursor: string | null;
  batch: TransactionBatch;
  /** With the last batch of a refresh. */
  balances: readonly ProviderBalance[] | null;
}

/** A provider takes minutes to hours to collect a new connection's past. */
const COLLECTING_MS = 24 * 60 * 60_000;
const ASK_AGAIN_MS = 5 * 60_000;

/**
 * Applies what was fetched, whole or not at all. Pages are a chain by their cursors: one that does not begin where the
 * connection stands was applied by another worker meanwhile, or belongs to a connection that has ended, and is dropped.
 * So each page counts once, in order, whatever crashes between fetching and applying.
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

/** Money that has settled on a connected account sets off rules, when it is noticed (decisions page, "Arrivals"). */
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

/** Accounts that were closed here are still told of: what happened on them did happen. */
export async function readAccountIds(
  client: Queryable,
  organizationId: string,
  connectionId: string,
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ provider_account_id: string; id: string }>({
    name: "read_accounts_of_connection",
    text: "select provider_account_id, id from accounts where organization_id = $1 and connection_id = $2",
    values: [organizationId, connectionId],
  });
  return new Map(rows.map((row) => [row.provider_account_id, row.id]));
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
