import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { testRestore } from "@/lib/core/exports/test-restore";
import { listBackups, readRestoreTest, writeRestoreTest } from "@/lib/db/backup/backup-folder";
import { loadSecret } from "@/lib/db/secret";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { runCommand } from "@/lib/platform/terminal";

const USAGE = `npm run restore:test [-- FILE]

Restores a backup (by default the newest in SLUICE_BACKUP_DIR) into a PostgreSQL of its own in the data folder, verifies
rows, books and audit log, and removes it again. The database in use is not touched. Sluice does this by itself once a week
(SLUICE_RESTORE_TEST); of the newest backup, the result is kept for its metrics and alerts.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean" }, newest: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (positionals.length > 1) throw new Error(USAGE);
  const config = loadConfig(process.env);
  const { directory } = config.backups;
  const newest = (await listBackups(directory)).at(-1);
  const [given] = positionals;
  const path = given ? resolve(given) : newest && join(directory, newest.name);
  if (!path) throw new Error(`There is no backup in ${directory}.`);
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  const isKept = dirname(path) === directory;
  const last = await readRestoreTest(directory);
  const startedAt = systemClock.now();
  const keep = async (found: Awaited<ReturnType<typeof testRestore>> | null) => {
    const isProven = found?.outcome === "SUCCEEDED";
    const state = {
      backup: basename(path),
      startedAt,
      endedAt: found ? systemClock.now() : null,
      problem: found?.problem ?? null,
      outcome: found?.outcome ?? ("RUNNING" as const),
      seconds: found?.seconds ?? null,
      provenBackup: isProven ? basename(path) : (last?.provenBackup ?? null),
      provenAt: isProven ? systemClock.now() : (last?.provenAt ?? null),
    };
    if (isKept) await writeRestoreTest(directory, state);
  };
  await keep(null);
  const found = await testRestore({
    config,
    path,
    secret: await loadSecret(config),
    previousSecret: config.previousSecret,
    identities: config.backups.identities,
    say: (line) => process.stdout.write(`${line}\n`),
  });
  await keep(found);
  if (found.outcome === "SUCCEEDED") {
    process.stdout.write(
      `\n  ${path} can be restored: rows, books and audit log are whole (${found.seconds?.toFixed(1)} s).\n`,
    );
    return;
  }
  process.exitCode = 1;
  process.stderr.write(
    found.outcome === "FAILED"
      ? `\n  ${path} can NOT be restored: ${found.problem}\n`
      : `\n  ${path} was not tested: ${found.problem}\n`,
  );
}

await runCommand(main);
