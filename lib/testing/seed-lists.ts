import type pg from "pg";

/** How many rows of each kind an organization gets. */
export interface ListSizes {
  transfers: number;
  externalTransactions: number;
  cardTransactions: number;
  auditEntries: number;
  ruleExecutions: number;
}

/** What the rows belong to; all of it exists already. */
export interface ListOwners {
  organizationId: string;
  keyId: string;
  keyName: string;
  /** Transfers alternate between these two. */
  pods: readonly [string, string];
  externalAccountId: string;
  cardId: string;
  ruleId: string;
}

/** The age of the newest row, and how much older the oldest is: within every window. */
const NEWEST_AGE_MS = 3_600_000;
const SPAN_MS = 60 * 86_400_000;

/**
 * Fills an organization's lists with rows whose order, ids and times are as requests would have left them, as fast as
 * PostgreSQL writes. Books and balances are not updated: these rows only appear in lists.
 * @param superuser skips foreign keys and triggers, which would take most of the time
 * @param now business time
 */
export async function seedLists(
  superuser: pg.Client,
  owners: ListOwners,
  sizes: ListSizes,
  now: Date,
): Promise<void> {
  await superuser.query("set session_replication_role = replica");
  // A vacuum marks no page as visible to all whose commit is not on the disk yet, and deep pages then read the heap.
  await superuser.query("set synchronous_commit = on");
  await superuser.query("set maintenance_work_mem = '1GB'");
  await superuser.query("set statement_timeout = 0");
  // The id of the n-th of so many rows, in order: a UUIDv7 of its moment.
  await superuser.query(`
    create or replace function pg_temp.seeded_id(p_at timestamptz, p_number bigint) returns uuid language sql immutable as $$
      select (lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') || '7'
        || lpad(to_hex(p_number % 4096), 3, '0') || '8' || substr(md5(p_number::text), 1, 15))::uuid
    $$`);
  for (const { table, count, insert, values } of plans(owners, sizes)) {
    await withoutIndexes(superuser, table, async () => {
      const newest = new Date(now.getTime() - NEWEST_AGE_MS);
      await superuser.query(insert, [count, newest, SPAN_MS, ...values]);
    });
    await superuser.query(`vacuum (freeze, analyze) ${table}`);
  }
  await superuser.query("set session_replication_role = origin");
}

/** Rows are numbered from the oldest, so that the table and its key grow at their end as in production. */
const MOMENTS = `
  select n, at, pg_temp.seeded_id(at, n) as id from (
    select n, $2::timestamptz - ($1::bigint - n) * ($3::float8 / $1::bigint) * interval '1 millisecond' as at
      from generate_series(1, $1::bigint) n) numbered`;

interface Plan {
  table: string;
  count: number;
  /** $1 to $3 are those of MOMENTS, the rest `values`. */
  insert: string;
  values: readonly string[];
}

function plans(owners: ListOwners, sizes: ListSizes): Plan[] {
  const { organizationId, keyId, keyName, pods, externalAccountId, cardId, ruleId } = owners;
  return [
    {
      table: "transfers",
      count: sizes.transfers,
      values: [organizationId, ...pods],
      insert: `
        insert into transfers (organization_id, id, status, execution_mode, direction, origin, amount_in_cents,
            description, source_account_id, destination_account_id, proposed_by_kind, proposed_by_name, created_at,
            updated_at, accepted_at, completed_at)
          select $4::uuid, id, 'COMPLETE', 'LIVE', 'INTERNAL', 'API', 100 + n % 100000,
              case when n % 4 = 0 then 'I' || lpad(n::text, 8, '0') end,
              case when n % 2 = 0 then $5::uuid else $6::uuid end, case when n % 2 = 0 then $6::uuid else $5::uuid end,
              'API_KEY', 'seeded', at, at, at, at
            from (${MOMENTS}) moments`,
    },
    {
      table: "external_transactions",
      count: sizes.externalTransactions,
      values: [organizationId, externalAccountId],
      insert: `
        insert into external_transactions (organization_id, id, account_id, provider_transaction_id, amount_in_cents,
            direction, status, description, transaction_date, merchant_name, category, created_at, updated_at)
          select $4::uuid, id, $5::uuid, n::text, 100 + n % 100000, 'MONEY_OUT', 'COMPLETE', 'HARBOR CLOUD 0412', at,
              'Harbor Cloud', 'SHOPPING', at, at
            from (${MOMENTS}) moments`,
    },
    {
      table: "card_transactions",
      count: sizes.cardTransactions,
      values: [organizationId, cardId, pods[0]],
      insert: `
        insert into card_transactions (organization_id, id, card_id, account_id, subtype, amount_in_cents, description,
            network_reference, created_at, completed_at)
          select $4::uuid, id, $5::uuid, $6::uuid, 'PURCHASE', 100 + n % 100000, 'Harbor Cloud', n::text, at, at
            from (${MOMENTS}) moments`,
    },
    {
      table: "audit_entries",
      count: sizes.auditEntries,
      values: [organizationId, keyId, keyName],
      insert: `
        insert into audit_entries (organization_id, id, created_at, api_key_id, api_key_name, method, path, action,
            request_id, outcome)
          select $4::uuid, id, at, $5::uuid, $6, 'GET', '/platform/v1/transfers', 'LIST_TRANSFERS', n::text, 'SUCCESS'
            from (${MOMENTS}) moments`,
    },
    {
      table: "rule_executions",
      count: sizes.ruleExecutions,
      values: [organizationId, ruleId],
      insert: `
        insert into rule_executions (organization_id, id, rule_id, rule_version, status, execution_mode,
            trigger_details, created_at)
          select $4::uuid, id, $5::uuid, 1, 'EXECUTED', 'LIVE', '{"type":"REMOTE_API"}', at
            from (${MOMENTS}) moments`,
    },
  ];
}

/** Indexes built at once over all rows take a third of the time, and are as dense as possible. */
async function withoutIndexes(superuser: pg.Client, table: string, fill: () => Promise<void>): Promise<void> {
  const { rows } = await superuser.query<{ name: string; definition: string }>(
    `select i.relname as name, pg_get_indexdef(x.indexrelid) as definition
       from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = $1::regclass and not x.indisprimary
        and not exists (select from pg_constraint c where c.conindid = x.indexrelid)`,
    [table],
  );
  for (const { name } of rows) await superuser.query(`drop index ${name}`);
  await fill();
  for (const { definition } of rows) await superuser.query(definition);
}
