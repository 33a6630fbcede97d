import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readMoment } from "@/lib/core/exports/read-moment";
import { holdAndCheck, type RestoreProductOptions, restoreProduct } from "@/lib/core/exports/restore-product";
import { listBases } from "@/lib/db/archive/archive-folder";
import { restoreArchive } from "@/lib/db/archive/restore-archive";
import { type BackupReading, checkBackup, isEncrypted } from "@/lib/db/backup/read-backup";
import { openEngine } from "@/lib/db/database";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { adoptSecret, loadSecret } from "@/lib/db/secret";
import { type AgeIdentity, parseIdentities } from "@/lib/platform/age";
import { systemClock } from "@/lib/platform/clock";
import { type Config, loadConfig } from "@/lib/platform/config";
import { openTerminal, runCommand } from "@/lib/platform/terminal";

const USAGE = `npm run restore -- FILE [--secret FILE] [--identity FILE] [--no-hold] [--other-secret] [--accept-problems]
npm run restore -- FILE --check
npm run restore -- --to "2026-11-28 14:05:00" [--archive FOLDER] [--identity FILE] [--no-hold]

Restores a backup into an empty database: a new data folder (SLUICE_DATA_DIR), or a new database (DATABASE_URL). It
needs the secret of the Sluice that made the backup: SLUICE_SECRET, the file \`secret\` in the data folder, or
--secret FILE, which is copied there. If anything fails, the database stays empty.

An encrypted backup, or archive, is opened by SLUICE_BACKUP_PASSPHRASE or, if that is unset, a passphrase that this command
asks for; by a private key of age with --identity FILE or SLUICE_BACKUP_IDENTITY.

Afterwards all gates of every organization are closed: no money moves until an owner or co-owner opens them.
--no-hold keeps the gates as they were: only if nothing has happened since the backup, as when moving to a new machine.
--other-secret restores without the original secret: data encrypted with it stays unreadable.
--accept-problems restores books that do not balance, or an incomplete audit log, as they were backed up, and reports
what is wrong with them (exit code 1).
--to makes the embedded database of SLUICE_DATA_DIR as it was at that second (in the time zone of this machine, or with
one of its own: 2026-11-28T14:05:00Z), or with \`latest\` as far as its archive reaches. Stop Sluice first. What was
there is moved aside, not removed. --archive names an archive other than SLUICE_ARCHIVE_DIR.
--check reads the whole file, reports whether it is complete and unaltered, and restores nothing.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      help: { type: "boolean" },
      check: { type: "boolean" },
      secret: { type: "string" },
      identity: { type: "string" },
      to: { type: "string" },
      archive: { type: "string" },
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
  if ((file === undefined) === (values.to === undefined) || more.length > 0) throw new Error(USAGE);
  const config = withIdentity(loadConfig(process.env), values.identity);
  if (values.to !== undefined) {
    if (values.secret) await adopt(config, resolve(values.secret));
    await restoreMoment(config, values.to, { archive: values.archive, hold: !values["no-hold"] });
    return;
  }
  const path = resolve(file ?? "");
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  if (values.secret) await adopt(config, resolve(values.secret));
  const secret = values["other-secret"] ? null : await readSecret(config);
  const identities = (await isEncrypted(path)) ? await askIfNeeded(path, config) : [];
  const reading = { secret, previousSecret: config.previousSecret, identities };
  if (values.check) await check(path, reading);
  else
    await restore(config, path, {
      ...reading,
      hold: !values["no-hold"],
      acceptProblems: values["accept-problems"] === true,
    });
}

const LATEST = "latest";

async function restoreMoment(
  config: Config,
  moment: string,
  { archive, hold }: { archive: string | undefined; hold: boolean },
): Promise<void> {
  const directory = archive === undefined ? config.archive?.directory : resolve(archive);
  if (config.databaseUrl !== null || directory === undefined)
    throw new Error(
      "--to needs the archive of an embedded database: unset DATABASE_URL and name it with --archive (docs/backup.md).",
    );
  const to = readTarget(moment);
  await readSecret(config);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const startedAt = performance.now();
  const { movedAside } = await restoreArchive({
    dataDirectory: config.dataDirectory,
    postgresBin: config.postgresBin,
    archive: directory,
    identities: (await listBases(directory)).some(({ isEncrypted: is }) => is)
      ? await askIfNeeded(directory, config)
      : [],
    to,
    say,
  });
  const engine = await openEngine(config);
  try {
    await prepareDatabase(engine);
    say("Checking the books and the audit log.");
    const { heldCount, problems } = await holdAndCheck(engine, {
      clock: systemClock,
      archives: config.auditArchives.directory,
      hold,
    });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    say(`
  Restored to ${to?.toISOString() ?? "the end of the archive"} in ${seconds} s, as ${engine.description}.
  ${problems.length === 0 ? "The books balance, the audit log is whole." : `Not everything is in order:\n    ${problems.join("\n    ")}`}
${
  hold
    ? `  All gates are closed (organizations that had open ones: ${heldCount}): nothing moves until an owner or co-owner opens them at /gates.`
    : "  The gates are as they were: what is due moves as soon as Sluice starts."
}${movedAside ? `\n  What was there is in ${movedAside}. Remove it once you need it no more.` : ""}`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    await engine.leave();
  }
}

/** Null: as far as the archive reaches. */
function readTarget(text: string): Date | null {
  if (text === LATEST) return null;
  try {
    const moment = readMoment(text);
    if (moment.getTime() > systemClock.now().getTime())
      throw new Error(`is in the future: ${moment.toISOString()}`);
    return moment;
  } catch (error) {
    throw new Error(`--to ${error instanceof Error ? error.message : String(error)}. Or: --to ${LATEST}.`, {
      cause: error,
    });
  }
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

/** With the private keys of a file, which another variable may hold too. */
function withIdentity(config: Config, path: string | undefined): Config {
  if (path === undefined) return config;
  const own = parseIdentities(readFileSync(path, "utf8"));
  if (!own) throw new Error(`${path} holds no private key of age (AGE-SECRET-KEY-1…).`);
  return {
    ...config,
    backups: { ...config.backups, identities: [...own, ...config.backups.identities] },
  };
}

/** Asks for the passphrase of an encrypted backup or archive on a terminal, if nothing else was given. */
async function askIfNeeded(path: string, { backups }: Config): Promise<readonly AgeIdentity[]> {
  if (backups.identities.length > 0 || !process.stdin.isTTY) return backups.identities;
  const terminal = openTerminal();
  try {
    return [{ passphrase: await terminal.askSecretly(`Passphrase of ${path}`) }];
  } finally {
    terminal.close();
  }
}

async function check(path: string, reading: BackupReading): Promise<void> {
  const { header, rowCount } = await checkBackup(path, reading);
  process.stdout.write(
    `Whole${reading.secret === null ? "" : " and unaltered"}: ${rowCount} rows of ${header.tableCount} tables, of ${header.createdAt}, as of ${header.migrations.at(-1)?.name}.\n`,
  );
}

async function restore(
  config: Config,
  path: string,
  chosen: BackupReading & Pick<RestoreProductOptions, "hold" | "acceptProblems">,
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
    ? `  All gates are closed (organizations that had open ones: ${heldCount}): nothing moves until an owner or co-owner opens them at /gates.`
    : "  The gates are as they were: what is due moves as soon as Sluice starts."
}`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    await engine.leave();
  }
}

await runCommand(main);
