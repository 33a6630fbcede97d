import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const ENDING = ".backup";
/** In the name of a backup that is being made. */
export const PARTIAL = ".partial-";

/** `sluice-20261122T094211123Z.backup`: names sort by time. */
export function backupName(prefix: string, at: Date): string {
  return `${prefix}-${at.toISOString().replace(/[-:.]/g, "")}${ENDING}`;
}

/** What lies in it holds everybody's data: for its owner alone. */
export async function makeBackupFolder(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
}

/**
 * Removes the oldest backups of this prefix until `keep` are left, and what a process that was killed left of one;
 * others are nobody's business. Called by whoever alone makes backups of this prefix here.
 */
export async function keepNewest(directory: string, prefix: string, keep: number): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(`${prefix}-`));
  const whole = names.filter((name) => name.endsWith(ENDING)).toSorted();
  const partial = names.filter((name) => name.includes(PARTIAL));
  for (const name of [...whole.toReversed().slice(keep), ...partial])
    await rm(join(directory, name), { force: true });
}
