import { AppError } from "@/lib/contract/error";
import { type Page, toPage, type WindowedRequest } from "@/lib/contract/page";
import type { AmountFilters, ListSummary } from "@/lib/contract/search/list-filters";
import type {
  ExternalTransaction,
  ExternalTransactionStatus,
  FlowDirection,
  SpendingCategory,
} from "@/lib/contract/transactions";
import { requireReadableAccounts } from "@/lib/core/keys/require-readable-accounts";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, requirePermission } from "@/lib/core/shared/permits";
import { containing, literally, SUMMARY_COLUMNS, searchList, toSummary } from "@/lib/core/shared/search-list";
import type { Services } from "@/lib/platform/services";

/** The columns that every reader selects, from `external_transactions x`. */
const EXTERNAL_TRANSACTION_COLUMNS = `
  x.id, x.account_id as "accountId", x.amount_in_cents as "amountInCents", x.direction, x.status, x.description,
  x.transaction_date as "transactionDate", x.merchant_name as "merchantName", x.category`;

interface ExternalTransactionRow extends Omit<ExternalTransaction, "transactionDate"> {
  transactionDate: Date;
}

const toExternalTransaction = (row: ExternalTransactionRow): ExternalTransaction => ({
  ...row,
  transactionDate: row.transactionDate.toISOString(),
});

/**
 * One movement on a connected account, however old.
 * @throws AppError `EXTERNAL_TRANSACTION_NOT_FOUND` (also for another organization's, and for one that the institution
 * withdrew), `ACCESS_DENIED` when its account is outside the key's list.
 */
export async function getExternalTransaction(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  id: string,
): Promise<ExternalTransaction> {
  const permission = requirePermission(context.actor, "READ_TRANSFERS");
  const { rows } = await services.pool.query<ExternalTransactionRow>({
    name: "get_external_transaction",
    text: `select ${EXTERNAL_TRANSACTION_COLUMNS} from external_transactions x
            where x.organization_id = $1 and x.id = $2 and x.vanished_at is null`,
    values: [context.organizationId, id],
  });
  const row = rows[0];
  if (!row) {
    throw new AppError("EXTERNAL_TRANSACTION_NOT_FOUND", `There is no external transaction ${id}.`);
  }
  if (!covers(permission.accounts, row.accountId)) {
    throw new AppError(
      "ACCESS_DENIED",
      "The account of this transaction is outside the list of this key's READ_TRANSFERS permission.",
    );
  }
  return toExternalTransaction(row);
}

interface ListExternalTransactionsInput extends WindowedRequest, AmountFilters {
  /** Empty: all accounts that the key may read. */
  accountIds: readonly string[];
  direction: FlowDirection | null;
  /** Any of them; empty: all. */
  statuses: readonly ExternalTransactionStatus[];
  /** In description or merchant. */
  q: string | null;
  /** The whole name, in any case. */
  merchantName: string | null;
  category: SpendingCategory | null;
  withSummary: boolean;
}

/**
 * Movements on connected accounts, newest first by their date.
 * @throws AppError `ACCOUNT_NOT_FOUND` for an account that is not the organization's, `ACCESS_DENIED` for one outside
 * the key's list, `INVALID_PARAMETERS` for a search that takes too long.
 */
export async function listExternalTransactions(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  input: ListExternalTransactionsInput,
): Promise<Page<ExternalTransaction> & { summary: ListSummary | null }> {
  const permission = requirePermission(context.actor, "READ_TRANSFERS");
  if (input.accountIds.length > 0) await requireReadableAccounts(services, context, input.accountIds);
  const readable = permission.accounts === "ALL" ? [] : permission.accounts;
  const accountIds = input.accountIds.length > 0 ? input.accountIds : readable;
  if (isSearch(input)) return searchExternalTransactions(services, context, input, accountIds);
  const { rows } = await services.pool.query<ExternalTransactionRow>({
    ...(accountIds.length === 0
      ? { name: "list_external_transactions", text: listText(PAGE_OF_ALL) }
      : { name: "list_external_transactions_of_accounts", text: listText(PAGE_OF_ACCOUNTS) }),
    values: [
      context.organizationId,
      input.window.from,
      input.window.to,
      input.direction,
      input.statuses.length === 0 ? null : input.statuses,
      input.pageSize + 1,
      (input.page - 1) * input.pageSize,
      ...(accountIds.length === 0 ? [] : [accountIds]),
    ],
  });
  return { ...toPage(rows, input, toExternalTransaction), summary: null };
}

const isSearch = (input: ListExternalTransactionsInput) =>
  input.withSummary ||
  [input.q, input.merchantName, input.category, input.minimumAmountInCents, input.maximumAmountInCents].some(
    (filter) => filter !== null,
  );

function searchExternalTransactions(
  { pool }: Pick<Services, "pool">,
  { organizationId }: Context,
  input: ListExternalTransactionsInput,
  accountIds: readonly string[],
) {
  const values: unknown[] = [organizationId, input.pageSize + 1, (input.page - 1) * input.pageSize];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { window, direction, statuses, q, merchantName, category } = input;
  const { minimumAmountInCents, maximumAmountInCents } = input;
  const like = q === null ? "" : parameter(containing(q));
  const filters = [
    `transaction_date between ${parameter(window.from)} and ${parameter(window.to)}`,
    accountIds.length > 0 && `account_id = any (${parameter(accountIds)}::uuid[])`,
    direction !== null && `direction = ${parameter(direction)}`,
    statuses.length > 0 && `status = any (${parameter(statuses)}::text[])`,
    q !== null && `(description ilike ${like} or merchant_name ilike ${like})`,
    merchantName !== null && `merchant_name ilike ${parameter(literally(merchantName))}`,
    category !== null && `category = ${parameter(category)}`,
    minimumAmountInCents !== null && `amount_in_cents >= ${parameter(minimumAmountInCents)}::bigint`,
    maximumAmountInCents !== null && `amount_in_cents <= ${parameter(maximumAmountInCents)}::bigint`,
  ];
  // What a text finds is sorted as a whole: a plan in order of time would read every transaction for a rare one.
  const isText = q !== null || merchantName !== null;
  const found = `
    select id, transaction_date, amount_in_cents, direction as flow from external_transactions
     where organization_id = $1 and vanished_at is null ${filters.map((filter) => (filter ? `and ${filter}` : "")).join(" ")}
    ${isText ? "offset 0" : ""}`;
  return searchList(pool, async (client) => {
    const { rows } = await client.query<ExternalTransactionRow>({
      text: listText(`
        select transaction_date, id from (${found}) as found
         order by transaction_date desc, id desc limit $2::int offset $3::int`),
      values,
    });
    const page = toPage(rows, input, toExternalTransaction);
    if (!input.withSummary) return { ...page, summary: null };
    const { rows: sums } = await client.query<ListSummary>({
      text: `select ${SUMMARY_COLUMNS} from (${found}) as found where $2::int + $3::int is not null`,
      values,
    });
    return { ...page, summary: toSummary(sums) };
  });
}

const CONDITIONS = `
  transaction_date between $2 and $3 and vanished_at is null
  and ($4::text is null or direction = $4) and ($5::text[] is null or status = any ($5))`;

/** The page's ids come from the index alone; full rows are read only for them, one by one (`offset 0`). */
const PAGE_OF_ALL = `
  select transaction_date, id from external_transactions
   where organization_id = $1 and ${CONDITIONS}
   order by transaction_date desc, id desc limit $6::int offset $7::int`;

/** Reads each account's index no further than the page needs, then merges the few ids. */
const PAGE_OF_ACCOUNTS = `
  select met.transaction_date, met.id from unnest($8::uuid[]) as account(id)
   cross join lateral (
     select transaction_date, id from external_transactions
      where organization_id = $1 and account_id = account.id and ${CONDITIONS}
      order by transaction_date desc, id desc limit $6::int + $7::int) as met
   order by met.transaction_date desc, met.id desc limit $6::int offset $7::int`;

function listText(page: string): string {
  return `
    with page as materialized (${page})
    select ${EXTERNAL_TRANSACTION_COLUMNS}
      from page
      cross join lateral (select * from external_transactions where organization_id = $1 and id = page.id offset 0) x
     order by x.transaction_date desc, x.id desc`;
}
