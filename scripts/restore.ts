import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type RestoreProductOptions, restoreProduct } from "@/lib/core/exports/restore-product";
import { checkBackup } from "@/lib/db/backup/read-backup";
import { openEngine } from "@/lib/db/database";
import { adoptSecret, loadSecret } from "@/lib/db/secret";
import { systemClock } from "@/lib/platform/clock";
import { type Config, loadConfig } from "@/lib/platform/config";

const USAGE = `npm run restore -- FILE [--secret FILE] [--no-hold] [--other-secret] [--accept-problems]
npm run restore -- FILE --check

Restores a backup into an empty database: a new data folder (SLUICE_DATA_DIR), or a new database (DATABASE_URL). It
needs the secret of the Sluice that made the backup: SLUICE_SECRET, the file \`secret\` in the data folder, or
--secret FILE, which is copied there. If anything fails, the database stays empty.

Afterwards all gates of every organization are closed: no money moves until an owner or co-owner opens them.
--no-hold keeps the gates as they were: only if nothing has happened since the backup, as when moving to a new machine.
--other-secret restores without the original secret: data encrypted with it stays unreadable.
--accept-problems restores books that do not balance, or an incomplete audit log, as they were backed up, and reports
what is wrong with them (exit code 1).
--check reads the whole file, reports whether it is complete and unaltered, and restores nothing.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      help: { type: "boolean" },
      check: { type: "boolean" },
      secret: { type: "string" },
      "no-hold": { type: "boolean" },
      "other-secret": { type: "boolean" },
      "accept-problems": { type: "boolean" },
    },
    allowPositionals: true,
  });
  const [file, ...more] = positionals;
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (file === undefined || more.length > 0) throw new Error(USAGE);
  const config = loadConfig(process.env);
  const path = resolve(file);
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  if (values.secret) await adopt(config, resolve(values.secret));
  const secret = values["other-secret"] ? null : await readSecret(config);
  if (values.check) await check(path, secret);
  else
    await restore(config, path, {
      secret,
      hold: !values["no-hold"],
      acceptProblems: values["accept-problems"] === true,
    });
}

async function adopt({ secret, dataDirectory }: Config, path: string): Promise<void> {
  if (secret !== null)
    throw new Error("SLUICE_SECRET is set: give the secret there, or with --secret, not both.");
  await adoptSecret(dataDirectory, path);
}

/** Creating one here would silently be the wrong one. */
async function readSecret(config: Config): Promise<string> {
  if (config.secret === null && !existsSync(join(config.dataDirectory, "secret"))) {
    throw new Error(
      `There is no secret in ${config.dataDirectory}. Pass the one of the Sluice that made the backup, with --secret FILE ` +
        "or SLUICE_SECRET. If it is lost, see --help. Nothing was changed.",
    );
  }
  return loadSecret(config);
}

async function check(path: string, secret: string | null): Promise<void> {
  const { header, rowCount } = await checkBackup(path, secret);
  process.stdout.write(
    `Whole${secret === null ? "" : " and unaltered"}: ${rowCount} rows of ${header.tableCount} tables, of ${header.createdAt}, as of ${header.migrations.at(-1)?.name}.\n`,
  );
}

async function restore(
  config: Config,
  path: string,
  chosen: Pick<RestoreProductOptions, "secret" | "hold" | "acceptProblems">,
): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const startedAt = performance.now();
  const engine = await openEngine({ ...config, secret: chosen.secret ?? config.secret });
  try {
    const { header, rowCount, heldCount, problems } = await restoreProduct({
      engine,
      path,
      ...chosen,
      clock: systemClock,
      archives: config.auditArchives.directory,
      say,
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    say(`
  Restored ${rowCount} rows of ${header.tableCount} tables, of ${header.createdAt}, in ${seconds} s, into ${engine.description}.
  ${problems.length === 0 ? "Every table is as it was backed up, the books balance, the audit log is whole." : `Every table is as it was backed up, and that is not whole:\n    ${problems.join("\n    ")}`}
${
  chosen.hold
    ? `  All gates are closed (${heldCount} now): nothing moves until an owner or co-owner opens them at /gates.`
    : "  The gates are as they were: what is due moves as soon as Sluice starts."
}`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    await engine.leave();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
