import pg from "pg";
import type { Logger } from "pino";
import { type MigrationFile, readMigrationFiles } from "./migration-files";
import { withStartLock } from "./start-lock";

export interface MigrateOptions {
  /** Folder of the numbered SQL files. */
  directory: string;
  /** Replaces `:"app_role"` in the files: the role that the files grant what the application may do. */
  applicationRole: string;
  log?: Pick<Logger, "debug">;
}

/** As psql writes a variable that holds a name. */
const ROLE_TOKEN = ':"app_role"';

/**
 * Brings the database up to date: each pending file in its own transaction, together with the note that it was applied.
 * Safe to run from several processes at once: the others wait and find nothing to do.
 * @param client connected as the owner of the database, outside a transaction
 * @returns the names of the files that were applied now
 * @throws Error when an applied file was altered or is missing, when a pending one is numbered before an applied one,
 *   or when a file fails (nothing of it remains, nor is any later one tried).
 */
export async function migrate(client: pg.Client, options: MigrateOptions): Promise<string[]> {
  const files = await readMigrationFiles(options.directory);
  return withStartLock(client, async () => {
    const pending = findPending(files, await readApplied(client));
    for (const file of pending) {
      await apply(client, file, options.applicationRole);
      options.log?.debug({ migration: file.name }, "Migration applied.");
    }
    return pending.map((file) => file.name);
  });
}

type AppliedMigration = Pick<MigrationFile, "number" | "name" | "sha256">;

/** Pure: what is left to do, or why nothing may be done. */
function findPending(files: MigrationFile[], applied: AppliedMigration[]): MigrationFile[] {
  for (const done of applied) {
    const file = files.find(({ number }) => number === done.number);
    if (!file) {
      throw new Error(
        `The database was migrated by a newer Sluice (${done.name}): start that version, or restore.`,
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

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  await client.query(`
    create table if not exists sluice_migrations (
      number     integer primary key,
      name       text not null,
      sha256     text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`);
  const { rows } = await client.query<AppliedMigration>(
    "select number, name, sha256 from sluice_migrations order by number",
  );
  return rows;
}

async function apply(client: pg.Client, file: MigrationFile, applicationRole: string): Promise<void> {
  await client.query("begin");
  try {
    const transaction = await currentTransaction(client);
    await client.query(file.sql.replaceAll(ROLE_TOKEN, pg.escapeIdentifier(applicationRole)));
    if ((await currentTransaction(client)) !== transaction) {
      throw new Error("it ends the transaction itself; the runner does that");
    }
    await client.query("insert into sluice_migrations (number, name, sha256) values ($1, $2, $3)", [
      file.number,
      file.name,
      file.sha256,
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`The migration ${file.name} failed: ${explain(error)}`, { cause: error });
  }
}

async function currentTransaction(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>("select pg_current_xact_id()::text as id");
  return rows[0]?.id;
}

function explain(error: unknown): string {
  if (error instanceof pg.DatabaseError && error.position)
    return `${error.message} (at character ${error.position})`;
  return error instanceof Error ? error.message : String(error);
}
