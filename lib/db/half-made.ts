import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "@/lib/platform/error-code";

/**
 * Big things (the cluster, a copy of the binaries) are made under a name of their own and renamed when complete, so
 * that what exists under its final name is whole, and starts at the same time do not disturb each other.
 */
export function halfMadePath(homePath: string): string {
  return join(homePath, `half-made-${process.pid}-${randomUUID()}`);
}

/** Removes what starts that were killed left behind. Those of living processes are still being made. */
export async function removeAbandoned(homePath: string): Promise<void> {
  for (const name of await readdir(homePath)) {
    const pid = Number(/^half-made-(\d+)-/.exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    await rm(join(homePath, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** True for the errors of a rename onto what another start has completed just now. */
export function wasFaster(error: unknown): boolean {
  return hasCode(error, "ENOTEMPTY", "EEXIST");
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
