import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@/lib/platform/clock";
import { hasCode } from "@/lib/platform/error-code";

const ENDING = ".backup";
/** Part of the name of a backup that is still being written. */
export const PARTIAL = ".partial-";

/** `sluice-20261122T094211123Z.backup`: names sort by time. */
export function backupName(prefix: string, at: Date): string {
  return `${prefix}-${at.toISOString().replace(/[-:.]/g, "")}${ENDING}`;
}

/** Backups hold all data of every organization, so only the owner of the folder can read it. */
export async function makeBackupFolder(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
}

/** A backup in progress is written to continuously, so an old timestamp means its process is gone. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Deletes the oldest backups that `backupName` named with this prefix until `keep` are left, and partial files of
 * processes that were killed. Files with other names are left alone.
 * @returns the names of the deleted backups
 */
export async function keepNewest(directory: string, prefix: string, keep: number): Promise<string[]> {
  const isOurs = new RegExp(`^${prefix}-\\d{8}T\\d{9}Z\\${ENDING}($|\\${PARTIAL})`);
  const names = (await readdir(directory)).filter((name) => isOurs.test(name));
  const whole = names.filter((name) => name.endsWith(ENDING)).toSorted();
  const removed = whole.toReversed().slice(keep);
  for (const name of removed) await rm(join(directory, name), { force: true });
  for (const name of names.filter((one) => one.includes(PARTIAL))) {
    const path = join(directory, name);
    if (await isAbandoned(path)) await rm(path, { force: true });
  }
  return removed;
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    return systemClock.now().getTime() - (await stat(path)).mtimeMs > ABANDONED_AFTER_MS;
  } catch (error) {
    // It was completed in the meantime and has its final name now.
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** @returns the age of the newest complete backup of any prefix in milliseconds; Infinity if there is none */
export async function readBackupAge(directory: string): Promise<number> {
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const name of await listOrNone(directory)) {
    if (name.endsWith(ENDING)) newestMs = Math.max(newestMs, (await stat(join(directory, name))).mtimeMs);
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
