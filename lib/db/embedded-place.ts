import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
} from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { hasCode } from "@/lib/platform/error-code";

/** Where the parts of one embedded server are. */
export interface Place {
  /** `<data directory>/postgres`: owned by the account that runs Sluice. */
  homePath: string;
  /** The cluster (PGDATA). */
  dataPath: string;
  /** Holds the sockets of the server and its supervisor: mode 0700, short enough for a socket address. */
  socketPath: string;
  logPath: string;
  /** Null: the server runs as this process's own account. */
  user: ServerUser | null;
  /**
   * False: `user` may not traverse a parent folder (Sluice in root's home) and reaches the cluster only as its working
   * folder.
   */
  isReachable: boolean;
}

/** How a server names its own working folder without traversing its parents; Linux only. */
export const WORKING_FOLDER = "/proc/self/cwd";

/** macOS allows 104 bytes for a socket address, including the terminating zero. */
export const MAX_SOCKET_PATH_BYTES = 103;
/** The longest name in the socket folder; a process id has at most seven digits. */
const LONGEST_SOCKET_NAME = "keeper-4194304.sock";

/**
 * Creates the folders of the embedded server in `dataDirectory` for the account that the server runs as.
 * @throws Error if that account cannot reach them
 */
export async function preparePlace(dataDirectory: string): Promise<Place> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  // The folder needs one canonical name, or two processes would start two servers on it.
  const realDirectory = await realpath(dataDirectory);
  const homePath = join(realDirectory, "postgres");
  const dataPath = join(homePath, "data");
  await makeFolder(homePath, null);
  await assertOwn(homePath);
  const user = await chooseServerUser(dataPath);
  const isReachable = user === null || (await letPass(user, realDirectory, homePath));
  const logPath = join(homePath, "log");
  await makeFolder(logPath, user);
  const socketPath = await prepareSocketPath(homePath, user);
  return { homePath, dataPath, logPath, socketPath, user, isReachable };
}

/** Two accounts that alternate would leave each other unreadable files. */
async function assertOwn(path: string): Promise<void> {
  const { uid } = await stat(path);
  if (uid !== process.geteuid?.()) {
    throw new Error(`${path} belongs to another user (id ${uid}): start Sluice as that user.`);
  }
}

/**
 * Grants others traversal (not listing) of our own two folders; everything secret inside has its own mode. Parent
 * folders are not ours to change.
 * @returns false if the server's account may not traverse those
 */
async function letPass(user: ServerUser, ...ownFolders: [string, string]): Promise<boolean> {
  for (const folder of ownFolders) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) await chmod(folder, (mode & 0o777) | 0o001);
  }
  if (await canReach(user, ownFolders[1], 0o1)) return true;
  if (process.platform === "linux") return false;
  throw new Error(
    `PostgreSQL refuses to run as root, and the user it runs as instead (id ${user.uid}) may not pass the folders ` +
      `above ${ownFolders[0]}. Set SLUICE_DATA_DIR to a folder that every user may pass, or start Sluice as an ` +
      "ordinary user.",
  );
}

/**
 * `run` in the home folder or, where that path is too long for a socket, a private folder in the system's temporary
 * folder that `run` then links to: every process finds the same one, whatever its TMPDIR.
 */
async function prepareSocketPath(homePath: string, user: ServerUser | null): Promise<string> {
  const path = join(homePath, "run");
  const name = `sluice-${createHash("sha256").update(homePath).digest("hex").slice(0, 16)}`;
  const isShort = Buffer.byteLength(join(path, LONGEST_SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES;
  const linked = await readLink(path);
  // A data folder that was copied brings the link of the original, whose server would answer for it.
  if (linked !== null && (isShort || basename(linked) !== name)) await rm(path, { force: true });
  if (isShort) {
    await makeFolder(path, user);
    return path;
  }
  const ownPath = join(await realpath(tmpdir()), name);
  if (await isFolder(path)) return await leadTo(path, homePath, ownPath);
  await linkOnce(ownPath, path);
  const shortPath = await readlink(path);
  assertShort(path, shortPath);
  await makeFolder(shortPath, user);
  await assertPrivate(shortPath, user);
  return shortPath;
}

/** The data folder came from a shorter path, under which a server may still use its `run`: the short path leads there. */
async function leadTo(path: string, homePath: string, shortPath: string): Promise<string> {
  assertShort(path, shortPath);
  await linkOnce(path, shortPath);
  const owners = [process.geteuid?.(), (await stat(homePath)).uid];
  if ((await readLink(shortPath)) !== path || !owners.includes((await lstat(shortPath)).uid)) {
    throw new Error(`${shortPath} must be a link to ${path}: remove it and start again.`);
  }
  return shortPath;
}

function assertShort(path: string, shortPath: string): void {
  if (Buffer.byteLength(join(shortPath, LONGEST_SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES) return;
  throw new Error(
    `Neither ${path} nor ${shortPath} is short enough for a socket: set SLUICE_DATA_DIR or TMPDIR.`,
  );
}

async function linkOnce(target: string, path: string): Promise<void> {
  try {
    await symlink(target, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

/** Null: there is no link. */
async function readLink(path: string): Promise<string | null> {
  try {
    return await readlink(path);
  } catch (error) {
    // EINVAL: something else.
    if (hasCode(error, "ENOENT") || hasCode(error, "EINVAL")) return null;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** In a world-writable folder, another user could have created it first, to eavesdrop or impersonate the server. */
async function assertPrivate(path: string, user: ServerUser | null): Promise<void> {
  const { uid, mode } = await lstat(path);
  const isDirectory = (mode & 0o170000) === 0o040000;
  if (!isDirectory || uid !== (user?.uid ?? process.geteuid?.()) || (mode & 0o777) !== 0o700) {
    throw new Error(
      `${path} must be a folder of the database's user with mode 0700: remove it and start again.`,
    );
  }
}

/** Appears with its owner and mode, so a second process never sees it half-made. */
async function makeFolder(path: string, user: ServerUser | null): Promise<void> {
  if (existsSync(path)) return;
  const making = `${path}.${randomUUID().slice(0, 8)}`;
  await mkdir(making, { mode: 0o700 });
  if (user) await chown(making, user.uid, user.gid);
  try {
    await rename(making, path);
  } catch (error) {
    // Another start was faster.
    await rmdir(making);
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
  }
}

/** The account that the server runs as when this process is root. */
interface ServerUser {
  uid: number;
  gid: number;
}

/** Unprivileged accounts that exist nearly everywhere; the first one found is used. */
const UNPRIVILEGED_ACCOUNTS = ["postgres", "nobody"];

/**
 * Who runs the server: null for this process's account or, under root (PostgreSQL refuses to run as root), the owner of
 * the existing cluster, else an unprivileged account of this machine.
 * @throws Error if the cluster belongs to another account, or no account is suitable
 */
async function chooseServerUser(dataPath: string): Promise<ServerUser | null> {
  const owner = await readOwner(dataPath);
  const uid = process.geteuid?.();
  if (uid !== 0) {
    if (owner && owner.uid !== uid) {
      throw new Error(`${dataPath} belongs to another user (id ${owner.uid}): give it to the user ${uid}.`);
    }
    if (!owner) assertNamedAccount();
    return null;
  }
  if (owner?.uid === 0)
    throw new Error(`${dataPath} belongs to root, and PostgreSQL refuses to run as root.`);
  return owner ?? findUnprivilegedAccount();
}

/**
 * True if `user` may traverse every parent of `path` and has `permission` (the bits of one octal digit of a mode) on
 * it. Derived from the modes: trying it would need a program that this user can run.
 */
export async function canReach(user: ServerUser, path: string, permission: number): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  if (((mode >> shift) & permission) !== permission) return false;
  const parent = dirname(path);
  return parent === path || canReach(user, parent, 0o1);
}

async function readOwner(path: string): Promise<ServerUser | null> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

async function findUnprivilegedAccount(): Promise<ServerUser> {
  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const name of UNPRIVILEGED_ACCOUNTS) {
    const [, , uid, gid] = accounts.find(([accountName]) => accountName === name) ?? [];
    // macOS writes nobody as -2, but the system expects the unsigned form.
    if (uid && gid) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and this machine has neither a `postgres` nor a `nobody` account. " +
      "Start Sluice as an ordinary user, or set DATABASE_URL.",
  );
}

/** initdb looks its user up by name; containers with an arbitrary user id have none. */
function assertNamedAccount(): void {
  try {
    userInfo();
  } catch (error) {
    throw new Error(
      `The user id ${process.geteuid?.()} has no name in /etc/passwd, without which PostgreSQL makes no cluster. ` +
        "Start Sluice as a named user, or set DATABASE_URL.",
      { cause: error },
    );
  }
}

/**
 * Large things (the cluster, a copy of the binaries) are created under a temporary name and renamed when complete: what
 * has its final name is whole, and concurrent starts do not interfere.
 */
export function halfMadePath(homePath: string): string {
  return join(homePath, `half-made-${process.pid}-${randomUUID()}`);
}

/** Removes leftovers of killed starts. Those of living processes are still in progress. */
export async function removeAbandoned(homePath: string): Promise<void> {
  for (const name of await readdir(homePath)) {
    const pid = Number(/^half-made-(\d+)-/.exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    await rm(join(homePath, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** True for the errors of a rename onto what another start has just completed. */
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
