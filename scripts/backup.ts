import { existsSync } from "node:fs";
import { constants, copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type pg from "pg";
import { BACKUP_PREFIX, backupName, makeBackupFolder, removeOldBackups } from "@/lib/db/backup/backup-folder";
import { withBackupLock } from "@/lib/db/backup/backup-upkeep";
import { handOverBackups, handOverFile } from "@/lib/db/backup/hand-over";
import { writeBackup } from "@/lib/db/backup/write-backup";
import { openEngine } from "@/lib/db/database";
import { loadSecret } from "@/lib/db/secret";
import { systemClock } from "@/lib/platform/clock";
import { type Config, loadConfig } from "@/lib/platform/config";
import { createLog } from "@/lib/platform/log";
import { runCommand } from "@/lib/platform/terminal";

const USAGE = `npm run backup [-- --out FILE] [--with-secret]

Writes the whole database, embedded or not, to one file as a snapshot of this moment, while Sluice runs or not. Without
--out, the file goes to the backup folder (SLUICE_BACKUP_DIR, by default \`backups\` in the data folder), which keeps the
newest ones (SLUICE_BACKUPS_KEPT, 5), and the newest of 7 days, 4 weeks and 12 months (SLUICE_BACKUPS_KEPT_DAYS, _WEEKS,
_MONTHS).
With SLUICE_BACKUP_PASSPHRASE or SLUICE_BACKUP_RECIPIENT it is encrypted (docs/backup.md). SLUICE_BACKUP_COMMAND gets it
then; if that fails, the exit code is 1, and Sluice repeats it.
The file does not contain the secret, without which a restore cannot decrypt what it encrypted: keep the secret, apart
from the backups. --with-secret writes it to FILE.secret (embedded database without SLUICE_SECRET only).
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { help: { type: "boolean" }, out: { type: "string" }, "with-secret": { type: "boolean" } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const config = loadConfig(process.env);
  assertSomethingThere(config);
  if (values["with-secret"] && config.secret !== null)
    throw new Error("The secret comes from SLUICE_SECRET: keep it where you keep that. Nothing was written.");
  const path = values.out ? resolve(values.out) : await defaultPath(config);
  const engine = await openEngine(config);
  try {
    const startedAt = performance.now();
    const secret = await loadSecret(config);
    const backup = await writeBackup({
      owner: engine.owner,
      secret,
      path,
      recipients: config.backups.recipients,
      isPaced: true,
    });
    if (values["with-secret"])
      await copyFile(join(config.dataDirectory, "secret"), `${path}.secret`, constants.COPYFILE_EXCL);
    const removed = values.out ? [] : await removeOld(config);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`
  ${backup.path}
  ${backup.rowCount} rows of ${backup.tableCount} tables, ${(backup.byteLength / 1e6).toFixed(1)} MB, ${seconds} s; as of ${backup.lastMigration}${removedLine(removed)}

  ${encryptionLine(config)}
  ${secretLine(config, path, values["with-secret"] === true)}
`);
    const problem = await handOver(config, engine.owner, values.out ? path : null);
    if (problem === null) return;
    process.stderr.write(
      `  SLUICE_BACKUP_COMMAND failed: ${problem} The backup is written${values.out ? "" : ", and Sluice runs the command again"}.\n`,
    );
    process.exitCode = 1;
  } finally {
    await engine.leave();
  }
}

/** Otherwise a backup would create the database that is missing. */
function assertSomethingThere({ databaseUrl, dataDirectory }: Config): void {
  if (databaseUrl === null && !existsSync(join(dataDirectory, "postgres", "data", "PG_VERSION")))
    throw new Error(`There is no database in ${dataDirectory}, so there is nothing to back up.`);
}

async function defaultPath({ backups }: Config): Promise<string> {
  await makeBackupFolder(backups.directory);
  return join(backups.directory, backupName(BACKUP_PREFIX, systemClock.now(), backups.recipients.length > 0));
}

function removeOld({ backups }: Config): Promise<string[]> {
  return removeOldBackups(backups.directory, BACKUP_PREFIX, { newest: backups.keep, ...backups.keepOf });
}

/**
 * @param file one outside of the backup folder; null: what waits there
 * @returns what is wrong; null if nothing is, or another process does it
 */
async function handOver(
  { backups, logLevel }: Config,
  connection: pg.ClientConfig,
  file: string | null,
): Promise<string | null> {
  const { command, directory } = backups;
  if (!command) return null;
  const log = createLog(logLevel);
  if (file !== null) return await handOverFile({ command, log }, file);
  return await withBackupLock(connection, "COMMAND", () =>
    handOverBackups({ directory, command, log }, true),
  );
}

function encryptionLine({ backups }: Config): string {
  const [first] = backups.recipients;
  if (!first)
    return "It is NOT ENCRYPTED and holds everyone's data. Set SLUICE_BACKUP_PASSPHRASE or SLUICE_BACKUP_RECIPIENT.";
  return "passphrase" in first
    ? "It is encrypted with SLUICE_BACKUP_PASSPHRASE, which a restore needs."
    : "It is encrypted to SLUICE_BACKUP_RECIPIENT; a restore needs the private key.";
}

function removedLine(removed: readonly string[]): string {
  if (removed.length === 0) return "";
  return `\n  Removed, beyond SLUICE_BACKUPS_KEPT and its days, weeks and months: ${removed.join(", ")}`;
}

function secretLine({ secret, dataDirectory }: Config, path: string, isWritten: boolean): string {
  if (isWritten)
    return `The secret is in ${path}.secret. Keep it apart from the backup: both together open everything.`;
  const where = secret === null ? join(dataDirectory, "secret") : "SLUICE_SECRET";
  return `The secret is not in it. Keep ${where} too, separately: a restore needs both.`;
}

await runCommand(main);
