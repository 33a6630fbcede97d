import { randomUUID } from "node:crypto";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemClock } from "@/lib/platform/clock";
import { hasCode } from "@/lib/platform/error-code";

/** Part of the name of the file beside what is being read: until it is gone or old, nothing removes that. */
export const READING = ".reading-";
/** Those who read or write renew it all the time, so an old timestamp means that their process is gone. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Keeps a backup, or an archive, from being removed until it is released, or its reader has been gone for an hour.
 * @returns releases it
 */
export async function hold(path: string): Promise<() => Promise<void>> {
  const mark = `${path}${READING}${randomUUID().slice(0, 8)}`;
  const renew = () => writeFile(mark, "", { mode: 0o600 });
  try {
    await renew();
  } catch (error) {
    // Where the reader may not write, it cannot say that it reads.
    if (hasCode(error, "EACCES", "EROFS", "EPERM")) return async () => undefined;
    throw error;
  }
  const timer = setInterval(() => void renew().catch(() => undefined), ABANDONED_AFTER_MS / 6);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await rm(mark, { force: true });
  };
}

/** Whether someone reads it now. */
export async function isHeld(path: string): Promise<boolean> {
  const folder = dirname(path);
  for (const name of await readdir(folder))
    if (name.startsWith(`${basename(path)}${READING}`) && !(await isAbandoned(join(folder, name))))
      return true;
  return false;
}

export async function isAbandoned(path: string): Promise<boolean> {
  try {
    return systemClock.now().getTime() - (await stat(path)).mtimeMs > ABANDONED_AFTER_MS;
  } catch (error) {
    // It was completed or released in the meantime.
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
