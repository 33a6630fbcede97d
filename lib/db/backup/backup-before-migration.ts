import { join } from "node:path";
import pg from "pg";
import type { Logger } from "pino";
import type { Engine } from "@/lib/db/engine";
import type { MigrationFile } from "@/lib/db/migration-files";
import { loadSecret } from "@/lib/db/secret";
import { systemClock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { backupName, keepNewest, makeBackupFolder } from "./backup-folder";
import { listTables } from "./list-tables";
import { writeBackup } from "./write-backup";

type BackupConfig = Pick<Config, "backups" | "dataDirectory" | "secret">;

const PREFIX = "before-migration";

/**
 * Backs the database up as it is before migrations change it, and keeps the newest few of such backups. A database
 * without rows needs none. Called inside the start lock: of several processes that start, one does it.
 * @throws Error that says how to go on, when there is no backup: then nothing is migrated.
 */
export async function backUpBeforeMigration(
  engine: Pick<Engine, "owner">,
  config: BackupConfig,
  pending: readonly MigrationFile[],
  log?: Pick<Logger, "info">,
): Promise<void> {
  const { directory, beforeMigration, keep } = config.backups;
  if (!beforeMigration || !(await holdsRows(engine.owner))) return;
  const path = join(directory, backupName(PREFIX, systemClock.now()));
  try {
    await makeBackupFolder(directory);
    log?.info({ path, pending: pending.length }, "Backing up the database before it is migrated.");
    const secret = await loadSecret(config);
    const { byteLength, rowCount } = await writeBackup({ owner: engine.owner, secret, path });
    await keepNewest(directory, PREFIX, keep);
    log?.info({ path, byteLength, rowCount }, "Backed up.");
  } catch (error) {
    throw new Error(
      `Nothing was migrated, for the backup before it failed: ${error instanceof Error ? error.message : String(error)}\n` +
        `Make room in ${directory}, choose another folder with SLUICE_BACKUP_DIR, or, with a backup of your own at hand, ` +
        "start once with SLUICE_BACKUP_BEFORE_MIGRATION=0.",
      { cause: error },
    );
  }
}

async function holdsRows(owner: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...owner, application_name: "sluice-backup" });
  await client.connect();
  try {
    for (const { name } of await listTables(client)) {
      if (name === "sluice_migrations") continue;
      const { rowCount } = await client.query(`select from public.${pg.escapeIdentifier(name)} limit 1`);
      if (rowCount !== 0) return true;
    }
    return false;
  } finally {
    await client.end();
  }
}
