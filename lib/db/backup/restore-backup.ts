import { once } from "node:events";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import {
  type BackupHeader,
  type BackupTable,
  FRAME,
  listTables,
  setTextForm,
  sumTable,
  type TableSum,
  tableBeginSchema,
  tableSumSchema,
} from "@/lib/db/backup/backup-format";
import { type BackupReading, openBackup, parseJson } from "@/lib/db/backup/read-backup";
import { createClient } from "@/lib/db/client";
import type { Engine } from "@/lib/db/engine";
import { applyFunctions, readFunctionFiles } from "@/lib/db/functions";
import {
  applyInside,
  findBaseline,
  isReplaced,
  makeMigrationsTable,
  readApplied,
  takeOverBaseline,
} from "@/lib/db/migrate";
import { type MigrationFile, readMigrationFiles } from "@/lib/db/migration-files";
import { typeParsers } from "@/lib/db/pool";
import { ensureApplicationRole } from "@/lib/db/prepare-database";
import { withStartLock } from "@/lib/db/start-lock";
import type { Queryable } from "@/lib/db/transaction";
import { projectPath } from "@/lib/platform/project-path";

export interface RestoreOptions extends BackupReading {
  engine: Pick<Engine, "owner" | "applicationRole" | "applicationPassword">;
  path: string;
  /** Another folder than `lib/db`: for tests. */
  schemaDirectory?: string;
  /**
   * Inspects the loaded data, and may add to it, before the commit: an error rolls the whole restore back.
   * @param client in the restore's transaction, as the owner of the database, with this version's tables and functions
   */
  beforeCommit?: (client: pg.Client) => Promise<void>;
  /** Progress messages for the terminal. */
  say?: (line: string) => void;
}

export interface RestoredBackup {
  header: BackupHeader;
  rowCount: number;
}

const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * Restores a backup into an empty database, embedded or external: runs the migrations that the backup names, loads the
 * rows, compares every table with the backup's counts and checksums, then applies later migrations and the functions.
 * All of it is one transaction that ends with `beforeCommit`: on any failure the database stays empty. Memory is
 * bounded.
 * @throws Error if the database is not empty, the backup was made by a newer Sluice or under another secret, or its
 *   contents do not match; DamagedBackup if the file is truncated or altered
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const { engine, path, say = () => undefined } = options;
  // Checked before the database is touched.
  const schemaDirectory = options.schemaDirectory ?? projectPath("lib/db");
  const files = await readMigrationFiles(join(schemaDirectory, "migrations"));
  const functions = await readFunctionFiles(join(schemaDirectory, "functions"));
  const backup = await openBackup(path, options);
  const client = createClient({
    ...engine.owner,
    application_name: "sluice-restore",
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    types: typeParsers,
  });
  await client.connect();
  try {
    const own = chooseMigrations(files, backup.header);
    return await withStartLock(client, async () => {
      await assertEmptyDatabase(client);
      await ensureApplicationRole(client, engine.applicationRole, engine.applicationPassword);
      await client.query("begin");
      try {
        await setTextForm(client);
        say(`Making the tables as of ${own.at(-1)?.name}.`);
        await makeMigrationsTable(client);
        for (const file of own) await applyInside(client, file, engine.applicationRole);
        const rowCount = await load(client, backup, say);
        await takeOverBaseline(client, files, await readApplied(client));
        for (const file of files)
          if (!own.includes(file)) await applyInside(client, file, engine.applicationRole);
        await applyFunctions(client, functions, engine.applicationRole);
        await options.beforeCommit?.(client);
        await client.query("commit");
        return { header: backup.header, rowCount };
      } catch (error) {
        await client.query("rollback").catch(() => undefined);
        throw error;
      }
    });
  } finally {
    await backup.close();
    await client.end();
  }
}

/** The backup's own migrations from our files, or the baseline in place of those it replaces. */
function chooseMigrations(files: readonly MigrationFile[], header: BackupHeader): MigrationFile[] {
  const baseline = findBaseline(files);
  if (baseline && isReplaced(baseline, header.migrations)) return [baseline];
  return header.migrations.map((done) => {
    const file = files.find(({ number }) => number === done.number);
    if (!file) {
      throw new Error(`This backup was made by a newer Sluice (${done.name}): restore it with that version.`);
    }
    if (file.sha256 !== done.sha256) {
      throw new Error(
        `The migration ${file.name} is not the one that this backup was made with (sha256 ${done.sha256}).`,
      );
    }
    return file;
  });
}

type CopyIn = ReturnType<typeof copyFrom>;
type OpenBackup = Awaited<ReturnType<typeof openBackup>>;

async function load(client: pg.Client, backup: OpenBackup, say: (line: string) => void): Promise<number> {
  const expected = await listTables(client);
  if (expected.length !== backup.header.tableCount) {
    throw new Error(
      `The backup has ${backup.header.tableCount} tables, and its migrations make ${expected.length}.`,
    );
  }
  // Rows written by migrations have pending deferred checks, and a table with pending checks cannot be altered.
  await client.query("set constraints all immediate");
  const putBack = await setAside(client, expected);
  say("Loading the rows.");
  const sums = await loadTables(client, backup, expected);
  for (const { name, value } of backup.header.counters) {
    await client.query("select setval($1, $2)", [`public.${pg.escapeIdentifier(name)}`, value]);
  }
  say("Making indexes and checking what refers to what.");
  await putBack();
  say("Comparing every table with the backup.");
  await client.query("analyze");
  let rowCount = 0;
  for (const { name } of expected) rowCount += await compare(client, name, sums.get(name));
  return rowCount;
}

async function loadTables(
  client: pg.Client,
  backup: OpenBackup,
  expected: readonly BackupTable[],
): Promise<Map<string, TableSum>> {
  const sums = new Map<string, TableSum>();
  let open: { table: BackupTable; rows: CopyIn } | null = null;
  try {
    for await (const { kind, payload } of backup.frames) {
      if (kind === FRAME.tableBegin && !open) {
        const table = parseJson(payload, tableBeginSchema);
        assertSame(expected, table);
        if (sums.has(table.name)) throw new Error(`The backup has ${table.name} twice.`);
        open = { table, rows: beginCopy(client, table) };
      } else if (kind === FRAME.data && open) {
        await writeTo(open.rows, payload);
      } else if (kind === FRAME.tableEnd && open) {
        open.rows.end();
        await finished(open.rows);
        sums.set(open.table.name, parseJson(payload, tableSumSchema));
        open = null;
      } else throw new Error("The parts of the backup are out of order.");
    }
  } catch (error) {
    if (open) await abandon(open.rows);
    throw error;
  }
  if (sums.size !== expected.length)
    throw new Error(`The backup holds ${sums.size} of ${expected.length} tables.`);
  return sums;
}

/** Otherwise the connection waits for the rest of the rows and never runs the rollback. */
async function abandon(rows: CopyIn): Promise<void> {
  const closed = rows.closed ? Promise.resolve() : once(rows, "close");
  rows.on("error", () => undefined);
  rows.destroy(new Error("The restore was canceled."));
  await closed.catch(() => undefined);
}

function assertSame(expected: readonly BackupTable[], { name, columns }: BackupTable): void {
  const own = expected.find((table) => table.name === name);
  if (own?.columns.join() === columns.join()) return;
  throw new Error(`The backup's table ${name} is not the one that its migrations make.`);
}

/** FREEZE spares vacuum a later visit; possible because the table was emptied in this transaction. */
function beginCopy(client: pg.Client, { name, columns }: BackupTable) {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  return client.query(
    copyFrom(`copy public.${pg.escapeIdentifier(name)} (${list}) from stdin with (freeze)`),
  );
}

function writeTo(rows: CopyIn, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    rows.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

async function compare(client: pg.Client, table: string, stored: TableSum | undefined): Promise<number> {
  const loaded = await sumTable(client, table);
  if (!stored || stored.rowCount !== loaded.rowCount || stored.sum !== loaded.sum) {
    throw new Error(
      `${table} does not hold what was backed up (${loaded.rowCount} rows, backed up ${stored?.rowCount}): nothing was restored.`,
    );
  }
  return Number(loaded.rowCount);
}

/** @throws Error if the schema holds anything at all: a restore never overwrites data */
async function assertEmptyDatabase(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
       and not exists (
         select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.relname limit 1`);
  const [found] = rows;
  if (!found) return;
  throw new Error(
    `The database is not empty (it has a table ${found.name}), and nothing was changed. Restore into a new data folder ` +
      "(SLUICE_DATA_DIR) or a new database (DATABASE_URL), look at it, and let Sluice start there: what is here stays " +
      "as it is until you remove it yourself.",
  );
}

interface Definition {
  drop: string;
  make: string;
}

/**
 * Empties the tables and drops what would hinder loading: triggers (they would move balances a second time and refuse
 * rows that only the product may write), foreign keys (tables reference each other in circles, and row-by-row checks
 * would fill the memory) and indexes (built faster afterwards). A plain owner may do all of it, unlike setting
 * `session_replication_role`.
 * @returns a function that restores every definition in PostgreSQL's own words, and fails unless the result is
 *   identical
 */
async function setAside(client: pg.Client, tables: readonly BackupTable[]): Promise<() => Promise<void>> {
  const before = await describeSchema(client);
  const foreignKeys = await listForeignKeys(client);
  const indexes = await listIndexes(client);
  for (const { drop } of foreignKeys) await client.query(drop);
  const names = tables.map(({ name }) => `public.${pg.escapeIdentifier(name)}`);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  // Rows that the migrations wrote are in the backup, too.
  await client.query(`truncate ${names.join(", ")}`);
  for (const { drop } of indexes) await client.query(drop);
  return async () => {
    for (const { make } of indexes) await client.query(make);
    for (const { make } of foreignKeys) await client.query(make);
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    if ((await describeSchema(client)) !== before)
      throw new Error("The restored schema differs from what the migrations create. Nothing was restored.");
  };
}

async function listForeignKeys(client: pg.Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0
     order by conrelid::regclass::text, conname`);
  return rows;
}

/** Indexes without a constraint; the others are needed by `on conflict` and by foreign keys. */
async function listIndexes(client: pg.Client): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(`
    select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
      from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'i' and not c.relispartition
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
       and not exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = i.indrelid and d.deptype = 'e')
     order by c.relname`);
  return rows;
}

/** Every constraint, index and trigger as one text. */
async function describeSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ text: string }>(`
    select string_agg(line, E'\\n' order by line) as text from (
      select format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
        from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
      union all
      select format('%s %s', pg_get_indexdef(i.indexrelid), i.indisvalid)
        from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
      union all
      select format('%s %s', pg_get_triggerdef(t.oid), t.tgenabled)
        from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'public'::regnamespace and not t.tgisinternal) as lines (line)`);
  return rows[0]?.text ?? "";
}
