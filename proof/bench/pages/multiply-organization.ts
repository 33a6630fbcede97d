import type pg from "pg";

/**
 * Turns a small organization into a big one: copies every row that belongs to it many times, with ids and references,
 * so that what a page reads is as varied as in production. Later tables are copied too, without being named here. What
 * waits for a person stays as little as a person can decide.
 */
export interface BigSize {
  transfers: number;
  rules: number;
  accounts: number;
}

/** How many copies of a table's rows there are. `MASS`: as many as of transfers. */
interface Copies {
  accounts: number;
  rules: number;
  endpoints: number;
  MASS: number;
}

/** Not copied: what belongs to a browser, a request or the sandbox's world, or a chain that a copy would break. */
const LEFT_OUT =
  /^(sandbox_|sessions$|audit_seals$|audit_unsealed$|idempotency_results$|kept_answers$|oauth_|mailbox_)/;
/** Copied once: members, and what exists once for all. */
const ONCE = /^(memberships|beneficiaries|notification_preferences|invitations|rule_drafts|fraud_reviews)$/;
/** A tenth: kept for weeks, not for years. */
const SHORT_LIVED = /^(webhook_(events|deliveries|attempts)|messages|message_proposals|notices)$/;
/** A fifth: of outside institutions. */
const OUTSIDE = /^external_transactions$/;
/** People are the same in both. */
const PEOPLE = /(_by|_by_user_id|^user_id|holder_id|member_id|_by_id)$/;

export async function multiplyOrganization(
  superuser: pg.Client,
  sourceId: string,
  targetId: string,
  size: BigSize,
): Promise<void> {
  await superuser.query("set session_replication_role = replica");
  await superuser.query("set synchronous_commit = off");
  await superuser.query("set maintenance_work_mem = '512MB'");
  await superuser.query("set statement_timeout = 0");
  // In a deadlock with the running worker, the worker's transaction is ended: it is repeated.
  await superuser.query("set deadlock_timeout = '10min'");
  const count = async (table: string) => {
    const found = await superuser.query<{ count: number }>(
      `select count(*)::int as count from ${table} where organization_id = $1`,
      [sourceId],
    );
    return Math.max(1, found.rows[0]?.count ?? 0);
  };
  const accounts = Math.ceil(size.accounts / (await count("accounts")));
  const copies: Copies = {
    accounts,
    // A multiple, so that each copy of a rule finds the copy of its accounts.
    rules: accounts * Math.ceil(size.rules / (await count("rules")) / accounts),
    endpoints: 5,
    MASS: Math.ceil(size.transfers / (await count("transfers"))),
  };
  // All or nothing: half an organization would be measured as a big one the next time.
  await superuser.query("begin");
  await makeFunctions(superuser, sourceId, copies);
  await superuser.query(
    `insert into organizations select (o).* from (select jsonb_populate_record(t, jsonb_build_object('id', $2::uuid,
       'name', 'Northwind, big')) as o from organizations t where id = $1) copied`,
    [sourceId, targetId],
  );
  for (const table of await readTables(superuser))
    await copyTable(superuser, table, sourceId, targetId, copies);
  await superuser.query("commit");
  await superuser.query("set session_replication_role = origin");
  await superuser.query("vacuum (freeze, analyze)");
}

interface Column {
  name: string;
  type: string;
  isUnique: boolean;
}
interface Table {
  name: string;
  columns: Column[];
}

async function readTables(superuser: pg.Client): Promise<Table[]> {
  const { rows } = await superuser.query<{ name: string; columns: Column[] }>(`
    select c.relname as name,
        json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'isUnique', exists (
          select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any (i.indkey)))
          order by a.attnum) as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            and a.attgenerated = '' and a.attidentity = ''
     where n.nspname = 'public' and c.relkind = 'r'
       and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'organization_id')
     group by c.oid, c.relname order by c.relname`);
  return rows.filter(({ name }) => !LEFT_OUT.test(name));
}

/** How many copies a table's rows get, derived from what its ids refer to. */
function copiesOf(table: string, column: string): keyof Copies | "ONE" {
  const isId = column === "id";
  if (/account_id$|^debit_ledger_id$|^credit_ledger_id$|card_id$|connection_id$|account_ids$/.test(column))
    return "accounts";
  if (/payee_id$|^difference_id$/.test(column)) return "accounts";
  if (
    isId &&
    /^(accounts|ledgers|cards|connections|provider_balances|payee.*|bank_difference.*)$/.test(table)
  )
    return "accounts";
  if (/^rule_id$|^draft_id$/.test(column) || (isId && table === "rules")) return "rules";
  if (/api_key_id$|^endpoint_id$|^replaces_id$/.test(column)) return "endpoints";
  // A key alerts once a day and has at most twenty mandates: there are as many as copies of the key.
  if (isId && /^(api_keys|webhook_endpoints|key_alerts|mandates)$/.test(table)) return "endpoints";
  if (/beneficiary_id$/.test(column) || (isId && ONCE.test(table))) return "ONE";
  return "MASS";
}

function numberOfCopies({ name, columns }: Table, copies: Copies): number {
  if (ONCE.test(name)) return 1;
  if (SHORT_LIVED.test(name)) return Math.ceil(copies.MASS / 10);
  if (OUTSIDE.test(name)) return Math.ceil(copies.MASS / 5);
  const hasId = columns.some((column) => column.name === "id");
  // A table without ids of its own belongs to what its key names.
  const keys = hasId
    ? ["id"]
    : columns
        .filter(({ type, isUnique }) => type === "uuid" && isUnique)
        .map((column) => column.name)
        .filter((column) => column !== "organization_id" && !PEOPLE.test(column));
  const times = keys.map((key) => copiesOf(name, key)).map((of) => (of === "ONE" ? 1 : copies[of]));
  return Math.max(1, ...times);
}

async function copyTable(
  superuser: pg.Client,
  table: Table,
  sourceId: string,
  targetId: string,
  copies: Copies,
): Promise<void> {
  const { name, columns } = table;
  const times = numberOfCopies(table, copies);
  const values = columns.map((column) => expressionOf(table, column, copies));
  await withoutIndexes(superuser, name, times, async () => {
    await superuser.query(
      `insert into ${name} (${columns.map((column) => column.name).join(", ")})
         select ${values.join(", ")} from ${name} t cross join generate_series(0, $3::int - 1) n
          where t.organization_id = $1 ${fewOf(name, copies)}`,
      [sourceId, targetId, times],
    );
  });
}

/** What waits for a person or the worker is not multiplied: a hundred thousand waiting proposals are unrealistic. */
function fewOf(table: string, { accounts }: Copies): string {
  const first = `n < ${accounts}`;
  if (table === "proposals") return `and (t.state <> 'WAITING' or ${first})`;
  if (table === "transfers") return `and (t.status not in ('APPROVAL_PENDING', 'PROCESSING') or ${first})`;
  if (table === "rule_executions")
    return `and (t.status not in ('APPROVAL_PENDING', 'IN_PROGRESS') or ${first})`;
  if (table === "ledgers") return "and (t.kind <> 'CLEARING' or n = 0)";
  if (table === "notices") return "and t.handled_at is not null";
  if (table === "webhook_deliveries") return `and (t.status <> 'PENDING' or ${first})`;
  return "";
}

function expressionOf(table: Table, { name, type, isUnique }: Column, copies: Copies): string {
  const column = `t.${name}`;
  if (name === "organization_id") return "$2::uuid";
  if (table.name === "rules" && /^active_|^next_run_at$|^paused_/.test(name)) {
    // At most one active rule per account starts on an arrival.
    return `case when n < ${copies.accounts} then ${pointed(table, name, type, column, copies)} end`;
  }
  if (type === "uuid" || type === "uuid[]") return pointed(table, name, type, column, copies);
  if (type === "jsonb") return `pg_temp.json_of(${column}, n)`;
  if (type === "bytea" && isUnique) return `sha256(${column} || convert_to($2::text || n, 'utf8'))`;
  // External names, unique in the whole database.
  if (type === "text" && isUnique && /_id$|reference$/.test(name)) return `pg_temp.text_of(${column}, n)`;
  if (/^(accounts|rules|api_keys|cards|payees)$/.test(table.name) && name === "name") {
    return `case when n = 0 then ${column} else left(${column}, 50) || ' ' || n end`;
  }
  // The books of a copied account are those of all transfers that were copied onto it.
  if (table.name === "ledgers" && /_in_cents$/.test(name)) {
    const each = Math.ceil(copies.MASS / copies.accounts);
    return `${column} * case when t.kind = 'CLEARING' then ${each * copies.accounts} else ${each} end`;
  }
  return column;
}

function pointed(table: Table, name: string, type: string, column: string, copies: Copies): string {
  if (type !== "uuid" && type !== "uuid[]") return column;
  if (PEOPLE.test(name)) return column;
  const of = copiesOf(table.name, name);
  const n = of === "ONE" ? "0" : of === "MASS" ? "n" : `n % ${copies[of]}`;
  if (type === "uuid[]") return `(select array_agg(pg_temp.id_of(each, ${n})) from unnest(${column}) each)`;
  return of === "ONE" ? column : `pg_temp.id_of(${column}, ${n})`;
}

/** Ids keep their time, so that lists keep their order; the bank's own ledger exists once for all. */
async function makeFunctions(superuser: pg.Client, sourceId: string, { accounts }: Copies): Promise<void> {
  const { rows } = await superuser.query<{ clearing: string; ids: string[] }>(
    `select clearing_ledger_id as clearing,
        (select array_agg(id) from accounts where organization_id = $1) as ids from organizations where id = $1`,
    [sourceId],
  );
  const { clearing, ids } = rows[0] ?? { clearing: "", ids: [] };
  await superuser.query(`
    create or replace function pg_temp.id_of(p_id uuid, p_number bigint) returns uuid language sql immutable as $$
      select case when p_id = '${clearing}' then p_id
        else (left(p_id::text, 20) || overlay(left(md5(p_id::text || p_number), 16) placing '-' from 4 for 1))::uuid end
    $$`);
  await superuser.query(`
    create or replace function pg_temp.text_of(p_text text, p_number bigint) returns text language sql immutable as $$
      select case when p_text ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then pg_temp.id_of(p_text::uuid, p_number)::text
        else p_text || '-' || p_number end
    $$`);
  const replaced = ids.reduce(
    (text, id) => `replace(${text}, '${id}', pg_temp.id_of('${id}', p_number % ${accounts})::text)`,
    "p_json::text",
  );
  await superuser.query(`
    create or replace function pg_temp.json_of(p_json jsonb, p_number bigint) returns jsonb language sql immutable as $$
      select ${replaced}::jsonb
    $$`);
}

/** Indexes built at once over all rows take a third of the time. */
async function withoutIndexes(
  superuser: pg.Client,
  table: string,
  times: number,
  fill: () => Promise<void>,
): Promise<void> {
  if (times < 500) return fill();
  const { rows } = await superuser.query<{ name: string; definition: string }>(
    `select i.relname as name, pg_get_indexdef(x.indexrelid) as definition
       from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = $1::regclass and not x.indisprimary and not x.indisunique
        and not exists (select from pg_constraint c where c.conindid = x.indexrelid)`,
    [table],
  );
  for (const { name } of rows) await superuser.query(`drop index ${name}`);
  await fill();
  for (const { definition } of rows) await superuser.query(definition);
}
