import {
  applyRefresh,
  FAILURES_UNTIL_UNKNOWN,
  type LeasedConnection,
  leaseConnections,
  noteRefresh,
  retryAt,
} from "@/lib/core/connections/apply-refresh";
import type { ExternalTransactionNews } from "@/lib/core/connections/apply-transactions";
import { markBalancesUnknown } from "@/lib/core/connections/write-balances";
import { inTransaction } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";
import {
  type AggregatorPort,
  AggregatorUnavailable,
  type ConnectionAccess,
  SignInNeeded,
} from "@/lib/ports/aggregator/aggregator-port";

type RefreshServices = Pick<Services, "pool" | "clock" | "log">;

/** Batches per refresh; a longer history continues in the next one, a moment later. */
const BATCHES_PER_REFRESH = 20;

/**
 * Refreshes due connections. Each is leased first; the provider is called outside any transaction, and its response is
 * applied in one.
 * @returns how many were leased.
 */
export async function refreshDueConnections(
  services: RefreshServices,
  aggregator: AggregatorPort,
  limit: number,
): Promise<number> {
  const leased = await leaseConnections(services, aggregator.provider, limit);
  await Promise.all(leased.map((connection) => refreshConnection(services, aggregator, connection)));
  return leased.length;
}

/** @returns what is new or has settled, even if the refresh failed halfway. */
export async function refreshConnection(
  services: RefreshServices,
  aggregator: AggregatorPort,
  connection: LeasedConnection,
): Promise<ExternalTransactionNews[]> {
  const news: ExternalTransactionNews[] = [];
  const businessNow = businessTime(services.clock, connection.clockOffsetMs);
  try {
    await readAll(services, aggregator, connection, businessNow, news);
  } catch (error) {
    const { organizationId, id } = connection;
    const isAnswer = error instanceof AggregatorUnavailable || error instanceof SignInNeeded;
    // Any other error is internal: logged in full, and retried like the rest.
    services.log[isAnswer ? "warn" : "error"](
      isAnswer ? { organizationId, connectionId: id, code: error.code } : { err: error, connectionId: id },
      "refreshing a connection failed",
    );
    await recordFailedRefresh(services, connection, businessNow, {
      needsSignIn: error instanceof SignInNeeded,
      code: isAnswer ? error.code : "UNEXPECTED_ERROR",
    });
  }
  return news;
}

/** Balances first: they are never newer than the transactions, so no money seems to come from nowhere. */
async function readAll(
  services: RefreshServices,
  aggregator: AggregatorPort,
  connection: LeasedConnection,
  businessNow: Date,
  news: ExternalTransactionNews[],
): Promise<void> {
  const access: ConnectionAccess = {
    organizationId: connection.organizationId,
    connectionId: connection.id,
    providerItemId: connection.providerItemId,
    sealedAccessToken: connection.sealedAccessToken,
    businessNow,
  };
  const balances = await aggregator.readBalances(access);
  let cursor = connection.cursor;
  for (let count = 1; count <= BATCHES_PER_REFRESH; count += 1) {
    const batch = await aggregator.syncTransactions(access, cursor);
    const isLast = !batch.hasMore;
    const fetched = { fromCursor: cursor, batch, balances: isLast ? balances : null };
    const applied = await applyRefresh(services, connection, fetched, businessNow);
    if (applied === null) return;
    news.push(...applied);
    if (isLast) return;
    cursor = batch.nextCursor;
  }
}

interface RefreshFailure {
  /** A retry would change nothing. */
  needsSignIn: boolean;
  code: string;
}

/**
 * An unresponsive connection is retried at growing intervals; from the fourth consecutive failure on its balances count
 * as unknown. One that requires a sign-in stops with unknown balances at once. A worker that lost its lease writes
 * nothing.
 */
async function recordFailedRefresh(
  services: Pick<Services, "pool">,
  { organizationId, id, attempts, leasedUntil }: LeasedConnection,
  businessNow: Date,
  { needsSignIn, code }: RefreshFailure,
): Promise<void> {
  const failures = attempts + 1;
  await inTransaction(services.pool, async (client) => {
    const { rowCount } = await client.query({
      name: "record_failed_refresh",
      text: `
        update connections set status = $4, error_code = $5, attempts = $6, refresh_due_at = $7, leased_until = null,
            failing_since = coalesce(failing_since, $8)
         where organization_id = $1 and id = $2 and leased_until = $3 and status = 'ACTIVE'`,
      values: [
        organizationId,
        id,
        leasedUntil,
        needsSignIn ? "NEEDS_SIGN_IN" : "ACTIVE",
        code,
        failures,
        needsSignIn ? null : retryAt(failures, businessNow),
        businessNow,
      ],
    });
    if (rowCount === 0) return;
    await noteRefresh(client, { organizationId, id }, businessNow, false);
    if (needsSignIn || failures >= FAILURES_UNTIL_UNKNOWN) {
      await markBalancesUnknown(client, organizationId, id, code);
    }
  });
}
