import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { readFreeMemory } from "./free-memory.mjs";

const SHARED_MEMORY = "/dev/shm";
const PREFIX = "sluice-tests-";
/** Several times what a run was seen to keep there; its programs need the rest of the memory. */
const MINIMUM_BYTES = 6_000_000_000;
const MINIMUM_FREE_MEMORY_BYTES = 12_000_000_000;
/** Like /tmp: under root, PostgreSQL runs as another user. */
const MODE = 0o1777;

/**
 * A temporary folder in memory for a test run, which makes and removes some hundred databases of two thousand files
 * each: on a disk that was seen to take ten times the CPU.
 * @param {string} [root] of the file system, for tests
 * @param {number} [minimumBytes] that must be free there, for tests
 * @returns {Promise<string | null>} null where memory is short, its files cannot be executed, or the system has none
 */
export async function makeMemoryFolder(root = "/", minimumBytes = MINIMUM_BYTES) {
  const parent = join(root, SHARED_MEMORY);
  if (!existsSync(parent) || !(await isRoomy(root, parent, minimumBytes))) return null;
  await removeAbandoned(root, parent);
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
  await chmod(folder, MODE);
  return folder;
}

async function isRoomy(root, parent, minimumBytes) {
  const mounts = (await readFile(join(root, "proc/self/mounts"), "utf8")).split("\n");
  const options = mounts
    .map((line) => line.split(" "))
    .findLast(([, path]) => path === SHARED_MEMORY)?.[3]
    ?.split(",");
  // PostgreSQL's programs may be copied there, and run.
  if (!options || options.includes("noexec") || options.includes("ro")) return false;
  const { bavail, bsize } = await statfs(parent);
  const freeBytes = await readFreeMemory(root);
  return bavail * bsize >= minimumBytes && freeBytes !== null && freeBytes >= MINIMUM_FREE_MEMORY_BYTES;
}

/** Folders of killed runs, which would keep their memory. */
async function removeAbandoned(root, parent) {
  for (const name of await readdir(parent)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || existsSync(join(root, "proc", pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
