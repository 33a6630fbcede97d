import { z } from "zod";
import { bankingInstant } from "@/lib/contract/banking-days";
import {
  AggregatorUnavailable,
  type TransactionBatch,
  type TransactionChange,
} from "@/lib/ports/aggregator/aggregator-port";
import { toCents } from "@/lib/ports/aggregator/plaid/accounts";
import type { CallPlaid } from "@/lib/ports/aggregator/plaid/call-plaid";
import { spendingBucket } from "@/lib/ports/aggregator/spending-buckets";

const TRANSACTIONS_PER_PAGE = 500;

const id = z.string().min(1).max(200);

/** The fields that we read of a transaction (`Transaction` in Plaid's OpenAPI description, 2020-09-14). */
const plaidTransactionSchema = z.object({
  account_id: id,
  transaction_id: id,
  pending_transaction_id: id.nullish(),
  amount: z.number(),
  date: z.iso.date(),
  datetime: z.iso.datetime({ offset: true }).nullish(),
  name: z.string(),
  original_description: z.string().nullish(),
  merchant_name: z.string().nullish(),
  pending: z.boolean(),
  personal_finance_category: z.object({ detailed: z.string().max(100) }).nullish(),
});
type PlaidTransaction = z.infer<typeof plaidTransactionSchema>;

/** A page of `/transactions/sync`. */
const plaidSyncSchema = z.object({
  added: z.array(plaidTransactionSchema).max(TRANSACTIONS_PER_PAGE),
  modified: z.array(plaidTransactionSchema).max(TRANSACTIONS_PER_PAGE),
  removed: z.array(z.object({ transaction_id: id })).max(TRANSACTIONS_PER_PAGE),
  next_cursor: z.string().max(5_000),
  has_more: z.boolean(),
  transactions_update_status: z.string().nullish(),
});
type PlaidSyncPage = z.infer<typeof plaidSyncSchema>;

/** The changes of one page, in the order to apply them. */
function toChanges({ added, modified, removed }: PlaidSyncPage, businessNow: Date): TransactionChange[] {
  return [
    ...[...added, ...modified].map((transaction) => toChange(transaction, businessNow)),
    ...removed.map(({ transaction_id }) => ({
      kind: "REMOVE" as const,
      providerTransactionId: transaction_id,
    })),
  ];
}

/** Plaid's amounts are positive if money leaves the account (for a card: if something is bought). */
function toChange(transaction: PlaidTransaction, businessNow: Date): TransactionChange {
  const cents = toCents(transaction.amount);
  // A card check without a charge: nothing moved, or no longer does.
  if (cents === 0) return { kind: "REMOVE", providerTransactionId: transaction.transaction_id };
  const detailed = transaction.personal_finance_category?.detailed ?? null;
  return {
    kind: "UPSERT",
    transaction: {
      providerAccountId: transaction.account_id,
      providerTransactionId: transaction.transaction_id,
      pendingTransactionId: transaction.pending ? null : (transaction.pending_transaction_id ?? null),
      amountInCents: Math.abs(cents),
      direction: cents > 0 ? "MONEY_OUT" : "MONEY_IN",
      status: transaction.pending ? "PENDING" : "COMPLETE",
      description: transaction.original_description ?? transaction.name,
      transactionDate: momentOf(transaction, businessNow),
      merchantName: transaction.merchant_name ?? null,
      category: spendingBucket(detailed),
      providerCategory: detailed,
    },
  };
}

/**
 * Most institutions report only a date. Noon in New York is on that date in every US time zone; before noon, today's
 * become now, so that nothing is in the future.
 */
function momentOf({ datetime, date }: PlaidTransaction, businessNow: Date): Date {
  if (datetime) return new Date(datetime);
  const noon = bankingInstant(date, "12:00");
  return noon < businessNow ? noon : businessNow;
}

/** 10,000 changes; a longer history continues from the last page's cursor in the next batch. */
const MAX_PAGES = 20;
const MAX_RESTARTS = 3;
const MUTATION = "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION";
const DAYS_REQUESTED = 365;

/**
 * Reads all pages since `cursor`. If Plaid's data changes between two pages, it says so, and reading restarts from the
 * beginning, as Plaid requires: the pages so far would leave gaps.
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
