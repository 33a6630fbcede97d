import {
  AggregatorUnavailable,
  type TransactionBatch,
  type TransactionChange,
} from "@/lib/ports/aggregator/aggregator-port";
import type { CallPlaid } from "@/lib/ports/aggregator/plaid/call-plaid";
import { plaidSyncSchema, TRANSACTIONS_PER_PAGE, toChanges } from "@/lib/ports/aggregator/plaid/transactions";

/** 10,000 changes; a longer history goes on from the last page's cursor in the next batch. */
const MAX_PAGES = 20;
const MAX_RESTARTS = 3;
const MUTATION = "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION";
const DAYS_REQUESTED = 365;

/**
 * Reads all pages since `cursor`. Plaid's data may change between two pages; it then says so, and the reading begins
 * anew from where it began, as Plaid asks for: what was read so far would leave gaps.
 */
export async function syncPages(
  call: CallPlaid,
  accessToken: string,
  cursor: string | null,
  businessNow: Date,
): Promise<TransactionBatch> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      return await readPages(call, accessToken, cursor, businessNow);
    } catch (error) {
      const isMutation = error instanceof AggregatorUnavailable && error.code === MUTATION;
      if (!isMutation || restarts === MAX_RESTARTS) throw error;
    }
  }
}

async function readPages(
  call: CallPlaid,
  accessToken: string,
  cursor: string | null,
  businessNow: Date,
): Promise<TransactionBatch> {
  const changes: TransactionChange[] = [];
  let nextCursor = cursor;
  for (let count = 1; ; count += 1) {
    const from = nextCursor;
    const page = await call(plaidSyncSchema, (api, limits) =>
      api.transactionsSync(
        {
          access_token: accessToken,
          ...(from !== null && { cursor: from }),
          count: TRANSACTIONS_PER_PAGE,
          options: { include_original_description: true, days_requested: DAYS_REQUESTED },
        },
        limits,
      ),
    );
    changes.push(...toChanges(page, businessNow));
    // Empty while Plaid has read nothing of the institution yet.
    nextCursor = page.next_cursor || from;
    if (page.has_more && count < MAX_PAGES) continue;
    const isHistoryComplete =
      !page.transactions_update_status || page.transactions_update_status === "HISTORICAL_UPDATE_COMPLETE";
    return { changes, nextCursor, hasMore: page.has_more, isHistoryComplete };
  }
}
