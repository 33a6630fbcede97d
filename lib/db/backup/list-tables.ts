import pg from "pg";
import type { Queryable } from "@/lib/db/transaction";
import type { BackupTable, TableSum } from "./backup-format";

interface Row {
  name: string;
  columns: string[];
}

/** Every table of the schema, with the columns that are written: those that PostgreSQL works out are left to it. */
export async function listTables(client: Queryable): Promise<BackupTable[]> {
  const { rows } = await client.query<Row>(`
    select c.relname as name,
        array(select a.attname::text from pg_attribute a
               where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
               order by a.attnum) as columns
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and ${NOT_OF_EXTENSION}
     order by c.relname`);
  return rows;
}

/** Objects that an extension brought into the schema are the extension's. `c` is `pg_class`. */
const NOT_OF_EXTENSION = `not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/**
 * How many rows a table has and the sum of their digests: equal for equal rows, in whatever order they are stored, on
 * every version of PostgreSQL and under every collation. Generated columns count: what is worked out again must agree.
 */
export async function sumTable(client: Queryable, table: string): Promise<TableSum> {
  const name = pg.escapeIdentifier(table);
  const { rows } = await client.query<TableSum>(`
    select count(*)::text as "rowCount",
        coalesce(sum(('x' || left(md5(r::text), 15))::bit(60)::bigint), 0)::text as sum
      from public.${name} r`);
  const [sum] = rows;
  if (!sum) throw new Error(`${table} has no sum`);
  return sum;
}

/** How values are written as text: the same at both ends, whatever the servers are set to. */
export async function setTextForm(client: Queryable): Promise<void> {
  await client.query(`
    set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
    set local extra_float_digits = 1; set local bytea_output = 'hex'; set local client_encoding = 'UTF8';
    set local search_path = public, pg_temp; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
}
