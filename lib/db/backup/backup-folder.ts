import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isAbandoned, isHeld, READING } from "@/lib/db/backup/hold";
import { chooseKept, type Retention } from "@/lib/db/backup/retention";
import { systemClock } from "@/lib/platform/clock";
import { hasCode } from "@/lib/platform/error-code";

const ENDING = ".backup";
/** Follows the ending of an encrypted one, as `age` has it. */
const ENCRYPTED = ".age";
/** Part of the name of a backup that is still being written. */
export const PARTIAL = ".partial-";
/** `sluice-20261122T094211123Z.backup`, of any prefix. */
const NAME = /^(.+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.backup(\.age)?$/;

/** The one that `npm run backup` gives. */
export const BACKUP_PREFIX = "sluice";

/** `sluice-20261122T094211123Z.backup`, `.backup.age` if it is encrypted: names sort by time. */
export function backupName(prefix: string, at: Date, isEncrypted = false): string {
  return `${prefix}-${at.toISOString().replace(/[-:.]/g, "")}${ENDING}${isEncrypted ? ENCRYPTED : ""}`;
}

/** A complete backup in the folder, whose name tells when it was made. */
export interface NamedBackup {
  name: string;
  prefix: string;
  at: Date;
}

/** Complete backups that `backupName` named, oldest first. */
export async function listBackups(directory: string): Promise<NamedBackup[]> {
  return (await listOrNone(directory))
    .flatMap((name): NamedBackup[] => {
      const [, prefix = "", year, month, day, hour, minute, second, ms] = NAME.exec(name) ?? [];
      if (year === undefined) return [];
      const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
      return Number.isNaN(at.getTime()) ? [] : [{ name, prefix, at }];
    })
    .sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** Backups hold all data of every organization, so only the owner of the folder can read it. */
export async function makeBackupFolder(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
}

/**
 * Deletes the backups of this prefix that the retention does not name, and partial files of killed processes.
 * Files with other names are left alone, and so are a backup that is being read and the last one that a restore test
 * proved: newer ones may be whole and still useless.
 * @returns the names of the deleted backups
 */
export async function removeOldBackups(
  directory: string,
  prefix: string,
  retention: Retention,
): Promise<string[]> {
  const names = await readdir(directory);
  for (const name of names)
    if ((name.includes(PARTIAL) || name.includes(READING)) && name.startsWith(`${prefix}-`)) {
      const path = join(directory, name);
      if (await isAbandoned(path)) await rm(path, { force: true });
    }
  const backups = (await listBackups(directory)).filter((backup) => backup.prefix === prefix);
  const kept = chooseKept(backups, retention);
  const proven = (await readRestoreTest(directory))?.provenBackup;
  const removed: string[] = [];
  for (const backup of backups) {
    if (kept.has(backup) || backup.name === proven || (await isHeld(join(directory, backup.name)))) continue;
    await rm(join(directory, backup.name), { force: true });
    removed.push(backup.name);
  }
  return removed;
}

const restoreTestSchema = z.object({
  /** Name of the backup that was restored last, or was to be. */
  backup: z.string(),
  startedAt: z.coerce.date(),
  endedAt: z.coerce.date().nullable(),
  /** Null: it succeeded, or has not ended. */
  problem: z.string().nullable(),
  /** `IMPOSSIBLE`: nothing was learned about the backup. */
  outcome: z.enum(["RUNNING", "SUCCEEDED", "FAILED", "IMPOSSIBLE"]),
  seconds: z.number().nullable(),
  provenBackup: z.string().nullable(),
  provenAt: z.coerce.date().nullable(),
});
/** What the last restore test found, and the last backup that one proved. */
export type RestoreTest = z.infer<typeof restoreTestSchema>;

const handOverSchema = z.object({
  /** Names of the backups that the command has received, or that are older than it. */
  done: z.array(z.string()).max(100_000),
  /** Attempts for the oldest of the others. */
  attempts: z.number().int(),
  lastAttemptAt: z.coerce.date().nullable(),
  problem: z.string().nullable(),
  /** Of all attempts. */
  failures: z.number().int(),
  lastSuccessAt: z.coerce.date().nullable(),
});
/** What SLUICE_BACKUP_COMMAND has done so far. */
export type HandOver = z.infer<typeof handOverSchema>;

const RESTORE_TEST = "restore-test.json";
const HAND_OVER = "command.json";

export const readRestoreTest = (directory: string) => readState(directory, RESTORE_TEST, restoreTestSchema);
export const writeRestoreTest = (directory: string, state: RestoreTest) =>
  writeState(directory, RESTORE_TEST, state);
export const readHandOver = (directory: string) => readState(directory, HAND_OVER, handOverSchema);
export const writeHandOver = (directory: string, state: HandOver) => writeState(directory, HAND_OVER, state);

/** Null: there is none, or it is unreadable, which is the same as never. */
async function readState<Shape extends z.ZodType>(
  directory: string,
  name: string,
  shape: Shape,
): Promise<z.infer<Shape> | null> {
  try {
    return shape.safeParse(JSON.parse(await readFile(join(directory, name), "utf8"))).data ?? null;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR") || error instanceof SyntaxError) return null;
    throw error;
  }
}

async function writeState(directory: string, name: string, state: object): Promise<void> {
  const making = join(directory, `${name}${PARTIAL}${randomUUID().slice(0, 8)}`);
  try {
    await writeFile(making, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(making, join(directory, name));
  } finally {
    await rm(making, { force: true });
  }
}

/** @returns the age of the newest complete backup of any prefix in milliseconds; Infinity if there is none */
export async function readBackupAge(directory: string): Promise<number> {
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const name of await listOrNone(directory)) {
    if (name.endsWith(ENDING) || name.endsWith(`${ENDING}${ENCRYPTED}`))
      newestMs = Math.max(newestMs, (await stat(join(directory, name))).mtimeMs);
  }
  return Math.max(0, systemClock.now().getTime() - newestMs);
}

async function listOrNone(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
