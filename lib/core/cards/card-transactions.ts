import { AppError } from "@/lib/contract/error";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import type { ResourceList } from "@/lib/contract/permissions";
import type { AmountFilters, ListSummary } from "@/lib/contract/search/list-filters";
import type { CardTransaction, SpendingCategory } from "@/lib/contract/transactions";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, requirePermission } from "@/lib/core/shared/permits";
import { containing, literally, SUMMARY_COLUMNS, searchList, toSummary } from "@/lib/core/shared/search-list";
import type { Services } from "@/lib/platform/services";

/** From `card_transactions t` with its card `c` and account `a`: specification, Part 2, "Card transaction". */
const CARD_TRANSACTION_COLUMNS = `
  t.id, t.card_id as "cardId", c.card_type as "cardType",
  json_build_object('id', a.id, 'name', a.name, 'type', a.type, 'isDeleted', a.deleted_at is not null) as account,
  case when t.subtype = 'PURCHASE' then 'MONEY_OUT' else 'MONEY_IN' end as direction, t.subtype, 'COMPLETE' as status,
  t.amount_in_cents as "amountInCents", t.description, t.created_at as "createdAt", t.completed_at as "completedAt"`;

const CARD_TRANSACTION_JOINS = `
  join cards c on c.organization_id = t.organization_id and c.id = t.card_id
  join accounts a on a.organization_id = t.organization_id and a.id = t.account_id`;

type CardTransactionRow = Omit<CardTransaction, "createdAt" | "completedAt"> & {
  account: { id: string };
  createdAt: Date;
  completedAt: Date;
};

function toCardTransaction(row: CardTransactionRow): CardTransaction {
  return { ...row, createdAt: row.createdAt.toISOString(), completedAt: row.completedAt.toISOString() };
}

/**
 * One card transaction, for a key that may read its account.
 * @throws AppError `CARD_TRANSACTION_NOT_FOUND` (also for another organization's), `ACCESS_DENIED`.
 */
export async function getCardTransaction(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  id: string,
): Promise<CardTransaction> {
  const permission = requirePermission(context.actor, "READ_TRANSFERS");
  const { rows } = await services.pool.query<CardTransactionRow>({
    name: "get_card_transaction",
    text: `select ${CARD_TRANSACTION_COLUMNS} from card_transactions t ${CARD_TRANSACTION_JOINS}
            where t.organization_id = $1 and t.id = $2`,
    values: [context.organizationId, id],
  });
  const row = rows[0];
  if (!row) throw new AppError("CARD_TRANSACTION_NOT_FOUND", `There is no card transaction ${id}.`);
  if (!covers(permission.accounts, row.account.id)) {
    throw new AppError(
      "ACCESS_DENIED",
      "The account of this card transaction is outside the list of this key's READ_TRANSFERS permission.",
    );
  }
  return toCardTransaction(row);
}

interface ListCardTransactionsInput extends PageRequest, AmountFilters {
  /** Empty: all accounts that the key may read. */
  accountIds: readonly string[];
  /** An unknown card gives an empty list, because the specification has no error code for it. */
  cardId: string | null;
  /** On `createdAt`, both inclusive. */
  from: Date | null;
  to: Date | null;
  /** In the description. */
  q: string | null;
  /** The whole description, in any case: it is typically the merchant's name. */
  merchantName: string | null;
  category: SpendingCategory | null;
  withSummary: boolean;
}

/**
 * Card transactions of the given accounts, newest first.
 * @throws AppError `ACCOUNT_NOT_FOUND` for an account of another organization, `ACCESS_DENIED` for one outside the
 * key's list, `INVALID_PARAMETERS` for a search that takes too long.
 */
export async function listCardTransactions(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  input: ListCardTransactionsInput,
): Promise<Page<CardTransaction> & { summary: ListSummary | null }> {
  const accounts = await readableAccounts(services, context, input.accountIds);
  if (isSearch(input)) return searchCardTransactions(services, context, input, accounts);
  const { rows } = await services.pool.query<CardTransactionRow>(toQuery(context, input, accounts));
  return { ...toPage(rows, input, toCardTransaction), summary: null };
}

const isSearch = (input: ListCardTransactionsInput) =>
  input.withSummary ||
  [input.q, input.merchantName, input.category, input.minimumAmountInCents, input.maximumAmountInCents].some(
    (filter) => filter !== null,
  );

function searchCardTransactions(
  { pool }: Pick<Services, "pool">,
  { organizationId }: Context,
  input: ListCardTransactionsInput,
  accounts: ResourceList,
) {
  const values: unknown[] = [organizationId, input.pageSize + 1, (input.page - 1) * input.pageSize];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { cardId, from, to, q, merchantName, category, minimumAmountInCents, maximumAmountInCents } = input;
  const filters = [
    accounts !== "ALL" && `account_id = any (${parameter(accounts)}::uuid[])`,
    cardId !== null && `card_id = ${parameter(cardId)}`,
    from && `created_at >= ${parameter(from)}`,
    to && `created_at <= ${parameter(to)}`,
    q !== null && `description ilike ${parameter(containing(q))}`,
    merchantName !== null && `description ilike ${parameter(literally(merchantName))}`,
    category !== null && `category = ${parameter(category)}`,
    minimumAmountInCents !== null && `amount_in_cents >= ${parameter(minimumAmountInCents)}::bigint`,
    maximumAmountInCents !== null && `amount_in_cents <= ${parameter(maximumAmountInCents)}::bigint`,
  ];
  // What a text finds is sorted as a whole: a plan in order of time would read every transaction for a rare one.
  const isText = q !== null || merchantName !== null;
  const found = `
    select id, created_at, amount_in_cents, case subtype when 'PURCHASE' then 'MONEY_OUT' else 'MONEY_IN' end as flow
      from card_transactions
     where organization_id = $1 ${filters.map((filter) => (filter ? `and ${filter}` : "")).join(" ")}
    ${isText ? "offset 0" : ""}`;
  return searchList(pool, async (client) => {
    const { rows } = await client.query<CardTransactionRow>({
      text: `
        with page as materialized (
          select id from (${found}) as found order by created_at desc, id desc limit $2::int offset $3::int)
        select ${CARD_TRANSACTION_COLUMNS}
          from page
          cross join lateral (select * from card_transactions where organization_id = $1 and id = page.id offset 0) t
          ${CARD_TRANSACTION_JOINS}
         order by t.created_at desc, t.id desc`,
      values,
    });
    const page = toPage(rows, input, toCardTransaction);
    if (!input.withSummary) return { ...page, summary: null };
    const { rows: sums } = await client.query<ListSummary>({
      text: `select ${SUMMARY_COLUMNS} from (${found}) as found where $2::int + $3::int is not null`,
      values,
    });
    return { ...page, summary: toSummary(sums) };
  });
}

/** The requested accounts, each checked, or all that the key may read. */
async function readableAccounts(
  services: Pick<Services, "pool">,
  context: Context<CallerActor>,
  asked: readonly string[],
): Promise<ResourceList> {
  const permission = requirePermission(context.actor, "READ_TRANSFERS");
  if (asked.length === 0) return permission.accounts;
  const { rows } = await services.pool.query<{ id: string }>({
    name: "find_accounts",
    text: "select id from accounts where organization_id = $1 and id = any ($2)",
    values: [context.organizationId, asked],
  });
  const found = new Set(rows.map((row) => row.id));
  const missing = asked.find((id) => !found.has(id));
  if (missing) throw new AppError("ACCOUNT_NOT_FOUND", `accountId: there is no account ${missing}.`);
  const outside = asked.find((id) => !covers(permission.accounts, id));
  if (outside) {
    throw new AppError(
      "ACCESS_DENIED",
      `accountId: ${outside} is outside the list of this key's READ_TRANSFERS permission.`,
    );
  }
  return [...asked];
}

function toQuery(context: Context, input: ListCardTransactionsInput, accounts: ResourceList) {
  const { page, pageSize, cardId, from, to } = input;
  const common = [context.organizationId, from, to, pageSize + 1, (page - 1) * pageSize];
  const accountIds = accounts === "ALL" ? null : accounts;
  if (cardId !== null) {
    return { name: "list_card_transactions_by_card", text: BY_CARD, values: [...common, cardId, accountIds] };
  }
  if (accountIds) {
    return { name: "list_card_transactions_by_account", text: BY_ACCOUNT, values: [...common, accountIds] };
  }
  return { name: "list_card_transactions", text: OF_ALL, values: common };
}

/**
 * Every list reads one index, newest first and no further than the page needs: its cost depends on the page number, not
 * on the number of card transactions. The page's rows come one by one (`offset 0`): PostgreSQL joined all those of a card.
 */
const IN_RANGE = `created_at between coalesce($2::timestamptz, '-infinity') and coalesce($3::timestamptz, 'infinity')`;
const NEWEST_FIRST = "order by created_at desc, id desc";

const pageOf = (ids: string) => `
  with page as materialized (${ids} ${NEWEST_FIRST} limit $4::int offset $5::int)
  select ${CARD_TRANSACTION_COLUMNS}
    from page
    cross join lateral (select * from card_transactions where organization_id = $1 and id = page.id offset 0) t
    ${CARD_TRANSACTION_JOINS}
   order by t.created_at desc, t.id desc`;

const OF_ALL = pageOf(
  `select id, created_at from card_transactions where organization_id = $1 and ${IN_RANGE}`,
);

const BY_CARD = pageOf(`
  select id, created_at from card_transactions
   where organization_id = $1 and card_id = $6 and ($7::uuid[] is null or account_id = any ($7)) and ${IN_RANGE}`);

/** Reads each account from its own index, then merges. */
const BY_ACCOUNT = pageOf(`
  select met.id, met.created_at from unnest($6::uuid[]) as account(id)
   cross join lateral (
     select id, created_at from card_transactions
      where organization_id = $1 and account_id = account.id and ${IN_RANGE}
      ${NEWEST_FIRST} limit $4::int + $5::int) as met`);
