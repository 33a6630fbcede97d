import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { applyFunctions, type FunctionFile, readFunctionFiles } from "@/lib/db/functions";
import {
  type AppliedMigration,
  type MigrationFile,
  readMigrationFiles,
  splitStatements,
} from "@/lib/db/migration-files";
import { withStartLock } from "@/lib/db/start-lock";
import { hasCode } from "@/lib/platform/error-code";

export interface MigrateOptions {
  /** Holds `migrations/` (the numbered SQL files) and `functions/` (a folder per module). */
  schemaDirectory: string;
  /** Replaces `:"app_role"` in the files: the role that receives the application's privileges. */
  applicationRole: string;
  log?: Pick<Logger, "debug" | "info">;
  /**
   * Called before the first pending file of a database that was migrated before, inside the start lock: a failure
   * aborts the start before anything is migrated.
   */
  beforeMigrating?: (pending: MigrationFile[]) => Promise<void>;
  /** How long a file may wait for a table before it backs off and tries again. */
  lockTimeoutMs?: number;
}

/** psql's syntax for a variable that holds an identifier. */
const ROLE_TOKEN = ':"app_role"';

/**
 * Requests of a running Sluice queue behind a migration that waits for a table, and time out after five seconds
 * (`pool.ts`): the migration backs off well before that, lets them pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;
const MAX_ATTEMPTS = 30;
const RETRY_MS = 500;
/** Bounds how long a statement of a migration may hold locks; CREATE INDEX CONCURRENTLY blocks nobody. */
const STATEMENT_TIMEOUT_MS = 600_000;
const INSUFFICIENT_PRIVILEGE = "42501";
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK = "40P01";

/**
 * Brings the database up to date: each pending migration in its own transaction together with its record, then all
 * changed functions in one. Safe to run from several processes at once: the others wait and find nothing to do. Safe
 * beside an older Sluice that is serving: a file that does not get its locks soon backs off and tries again.
 * @param client connected as the owner of the database, outside a transaction
 * @returns the names of the migrations that were applied now
 * @throws Error if an applied file was altered or is missing, a pending one is numbered before an applied one, the
 *   database is older than the baseline, or a file fails (it is rolled back, and no later one is tried)
 */
export async function migrate(client: pg.Client, options: MigrateOptions): Promise<string[]> {
  const files = await readMigrationFiles(join(options.schemaDirectory, "migrations"));
  const functions = await readFunctionFiles(join(options.schemaDirectory, "functions"));
  return withStartLock(client, async () => {
    await makeMigrationsTable(client);
    const applied = await takeOverBaseline(client, files, await readApplied(client));
    const pending = findPending(files, applied);
    if (pending.length > 0 && applied.length > 0) await options.beforeMigrating?.(pending);
    for (const file of pending) {
      await patiently(file.name, options, () =>
        file.isConcurrent ? applyConcurrently(client, file) : apply(client, file, options),
      );
      options.log?.debug({ migration: file.name }, "Migration applied.");
    }
    const changed = await patiently("functions", options, () => replaceFunctions(client, functions, options));
    if (changed.length > 0) options.log?.debug({ functions: changed }, "Functions applied.");
    return pending.map((file) => file.name);
  });
}

/** Pure: the migrations left to apply, or the reason why none may be. */
function findPending(files: MigrationFile[], applied: AppliedMigration[]): MigrationFile[] {
  for (const done of applied) {
    const file = files.find(({ number }) => number === done.number);
    if (!file) {
      throw new Error(
        `The database was migrated by a newer Sluice (${done.name}): start that version, or restore a backup from before.`,
      );
    }
    if (file.sha256 !== done.sha256) {
      throw new Error(
        `The migration ${file.name} was altered after it was applied to this database. Restore the file ` +
          `(sha256 ${done.sha256}) and put the change into a new migration.`,
      );
    }
  }
  const last = applied.at(-1)?.number ?? 0;
  const pending = files.filter(({ number }) => !applied.some((done) => done.number === number));
  const late = pending.find(({ number }) => number < last);
  if (late)
    throw new Error(
      `The migration ${late.name} comes before one that is applied already: give it a new number.`,
    );
  return pending;
}

/** Records which files were applied. */
export async function makeMigrationsTable(client: pg.Client): Promise<void> {
  await client.query(`
    create table if not exists sluice_migrations (
      number     integer primary key,
      name       text not null,
      sha256     text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`);
}

export async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    "select number, name, sha256 from sluice_migrations order by number",
  );
  return rows;
}

/** @param name of the file, for the log */
async function patiently<T>(name: string, { log }: MigrateOptions, applyIt: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyIt();
    } catch (error) {
      const isBusy = error instanceof Error && hasCode(error.cause, LOCK_NOT_AVAILABLE, DEADLOCK);
      if (!isBusy || attempt === MAX_ATTEMPTS) throw error;
      log?.info({ migration: name, attempt }, "A table is busy; the migration will try again.");
      await pause(RETRY_MS + Math.random() * RETRY_MS);
    }
  }
}

function apply(client: pg.Client, file: MigrationFile, options: MigrateOptions): Promise<void> {
  return inTransaction(client, options, () =>
    applyInside(client, file, options.applicationRole).catch((error: unknown) => {
      throw failed(file, error);
    }),
  );
}

/** All or none: a function never runs beside an older one that does not know it. */
function replaceFunctions(
  client: pg.Client,
  functions: readonly FunctionFile[],
  options: MigrateOptions,
): Promise<string[]> {
  return inTransaction(client, options, () => applyFunctions(client, functions, options.applicationRole));
}

async function inTransaction<T>(
  client: pg.Client,
  { lockTimeoutMs = LOCK_TIMEOUT_MS }: MigrateOptions,
  fn: () => Promise<T>,
): Promise<T> {
  await client.query("begin");
  try {
    await client.query(
      "select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)",
      [`${lockTimeoutMs}ms`, `${STATEMENT_TIMEOUT_MS}ms`],
    );
    const result = await fn();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/**
 * Applies one file inside the caller's transaction and records it.
 * @throws Error if the file ends the transaction; errors of PostgreSQL unchanged
 */
export async function applyInside(
  client: pg.Client,
  file: MigrationFile,
  applicationRole: string,
): Promise<void> {
  const transaction = await currentTransaction(client);
  // No other session sees the tables of this transaction yet, and CONCURRENTLY is not possible inside one.
  const sql = file.isConcurrent ? file.sql.replace(/\bconcurrently\b/gi, "") : file.sql;
  await client.query(sql.replaceAll(ROLE_TOKEN, pg.escapeIdentifier(applicationRole)));
  if ((await currentTransaction(client)) !== transaction) {
    throw new Error("it ends the transaction itself; the runner does that");
  }
  await note(client, file);
}

/** Outside a transaction, as PostgreSQL requires. Leftovers of an interrupted attempt are created again. */
async function applyConcurrently(client: pg.Client, file: MigrationFile): Promise<void> {
  try {
    await client.query("set lock_timeout = 0");
    for (const { sql, plain } of splitStatements(file.sql)) {
      const index = /^create (?:unique )?index concurrently (\w+) on /.exec(plain)?.[1];
      if (!index && !plain.startsWith("drop index concurrently if exists "))
        throw new Error("it may only make and drop indexes CONCURRENTLY, each by its name");
      if (index) await client.query(`drop index concurrently if exists ${index}`);
      await client.query(sql);
    }
    await note(client, file);
  } catch (error) {
    throw failed(file, error);
  }
}

async function note(client: pg.Client, { number, name, sha256 }: MigrationFile): Promise<void> {
  await client.query("insert into sluice_migrations (number, name, sha256) values ($1, $2, $3)", [
    number,
    name,
    sha256,
  ]);
}

const failed = (file: MigrationFile, error: unknown) =>
  new Error(`The migration ${file.name} failed: ${explain(error)}${extensionHint(error)}`, { cause: error });

async function currentTransaction(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>("select pg_current_xact_id()::text as id");
  return rows[0]?.id;
}

/** PostgreSQL's own words about an extension, and the one command that a superuser runs. */
function extensionHint(error: unknown): string {
  const name = error instanceof Error ? /extension "(\w+)"/.exec(error.message)?.[1] : undefined;
  if (name === undefined) return "";
  return hasCode(error, INSUFFICIENT_PRIVILEGE)
    ? ` Run "CREATE EXTENSION ${name};" in this database as a superuser, then start again.`
    : ` Install it on the database server: it belongs to PostgreSQL's contrib modules (package postgresql-contrib).`;
}

function explain(error: unknown): string {
  if (error instanceof pg.DatabaseError && error.position)
    return `${error.message} (at character ${error.position})`;
  return error instanceof Error ? error.message : String(error);
}

/** Holds the result of all migrations before it. */
const BASELINE = "0100_baseline.sql";

/** The last of the migrations that the baseline replaces, and the version of Sluice that introduced it. */
const LAST_REPLACED = {
  name: "0080_names_of_rules.sql",
  sha256: "4e2fb0fe7911d8cd577f059e5ffb83355ef0fb60f40946c42d8cc4f956b276d0",
  version: "0.1.0",
  /** The last commit before the baseline. */
  commit: "b4ba827",
};

/**
 * A database with every migration that the baseline replaces equals what the baseline creates, so the baseline is
 * recorded as applied and nothing runs.
 * @param client connected as the owner of the database, inside the start lock
 * @returns the migrations that count as applied now
 * @throws Error naming the version to start first, if the database lacks some of them
 */
export async function takeOverBaseline(
  client: pg.Client,
  files: readonly MigrationFile[],
  applied: AppliedMigration[],
): Promise<AppliedMigration[]> {
  const baseline = findBaseline(files);
  if (!baseline || !isReplaced(baseline, applied)) return applied;
  await client.query(
    `with replaced as (delete from sluice_migrations)
     insert into sluice_migrations (number, name, sha256) values ($1, $2, $3)`,
    [baseline.number, baseline.name, baseline.sha256],
  );
  return [baseline];
}

export const findBaseline = (files: readonly MigrationFile[]) => files.find(({ name }) => name === BASELINE);

/**
 * Whether these migrations are those that the baseline replaces.
 * @throws Error naming the version to start first, if some of them are missing
 */
export function isReplaced(baseline: MigrationFile, applied: readonly AppliedMigration[]): boolean {
  const last = applied.at(-1);
  if (!last || last.number >= baseline.number) return false;
  if (last.name === LAST_REPLACED.name && last.sha256 === LAST_REPLACED.sha256) return true;
  throw new Error(
    `This database ends with the migration ${last.name}, which is older than this version can take over. Start Sluice ` +
      `${LAST_REPLACED.version} on it once (commit ${LAST_REPLACED.commit}, or its release ` +
      `sluice-${LAST_REPLACED.version}-${process.platform}-${process.arch}.tar.gz), then this version. Restore a backup with ` +
      `that version too. docs/operating.md, "Upgrade", has each step. Nothing was changed.`,
  );
}
