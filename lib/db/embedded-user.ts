import { readFile, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { hasCode } from "@/lib/platform/error-code";

/** The account that the server runs as when this process is root. */
export interface ServerUser {
  uid: number;
  gid: number;
}

/** Accounts that exist nearly everywhere and may do nothing; the first one found is taken. */
const UNPRIVILEGED_ACCOUNTS = ["postgres", "nobody"];

/**
 * Who runs the server: null for the account of this process, or, under root (PostgreSQL refuses to run as root), the
 * owner of the existing cluster, else an unprivileged account of this machine.
 * @throws Error when the cluster belongs to another account, or no account is suitable.
 */
export async function chooseServerUser(dataPath: string): Promise<ServerUser | null> {
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
 * True when `user` may pass every folder above `path` and has `permission` (bits as in one octal digit of a mode) on it.
 * Read from the modes: trying it out would need a program that this user can run.
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
    // macOS writes nobody as -2, the unsigned form of which the system expects.
    if (uid && gid) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and this machine has neither a `postgres` nor a `nobody` account. " +
      "Start Sluice as an ordinary user, or set DATABASE_URL.",
  );
}

/** initdb looks its user up by name; containers started with an arbitrary user id have none. */
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
