import { execFile } from "node:child_process";
import { chown, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasCode } from "@/lib/platform/error-code";
import type { Binaries } from "./embedded-binaries";
import { type Place, WORKING_FOLDER } from "./embedded-place";
import { halfMadePath, wasFaster } from "./half-made";

/** The superuser that initdb makes; Sluice only uses it to make its own roles and database. */
export const SUPERUSER = "postgres";

const INITDB_TIMEOUT_MS = 120_000;

/**
 * Makes the cluster if there is none. It is made in a folder beside and renamed when complete: an interrupted start
 * leaves no half cluster, and of two first starts at once one wins and the other uses what the winner made.
 * @param isDurable false only for tests: skips the wait for the disk.
 * @throws Error when the existing cluster was made by another major version of PostgreSQL.
 */
export async function createCluster(place: Place, binaries: Binaries, isDurable: boolean): Promise<void> {
  const version = await readClusterVersion(place.dataPath);
  if (version === null) return makeCluster(place, binaries, isDurable);
  if (version !== binaries.majorVersion) {
    throw new Error(
      `${place.dataPath} was made by PostgreSQL ${version} and cannot be opened by ${binaries.majorVersion}: ` +
        "install the earlier Sluice, make a backup, and restore it into a new data folder.",
    );
  }
}

async function makeCluster(place: Place, binaries: Binaries, isDurable: boolean): Promise<void> {
  const making = halfMadePath(place.homePath);
  await mkdir(making, { mode: 0o700 });
  try {
    if (place.user) await chown(making, place.user.uid, place.user.gid);
    await runInitdb(binaries.initdb, making, place, isDurable);
    await rename(making, place.dataPath);
    if (isDurable) await syncFolder(place.homePath);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    const winnerIsThere = wasFaster(error) && (await readClusterVersion(place.dataPath)) !== null;
    if (!winnerIsThere) throw error;
  }
}

async function runInitdb(initdb: string, path: string, place: Place, isDurable: boolean): Promise<void> {
  const options = [
    `--pgdata=${place.isReachable ? path : WORKING_FOLDER}`,
    `--username=${SUPERUSER}`,
    // The built-in locale sorts the same on every machine and after every upgrade of the system's libraries: an index
    // on text stays valid when the folder is moved.
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--data-checksums",
    // There is no TCP port, and the socket's folder (mode 0700) admits only the account that owns the data anyway.
    "--auth-local=trust",
    "--auth-host=reject",
    "--no-instructions",
    ...(isDurable ? [] : ["--no-sync"]),
  ];
  try {
    await promisify(execFile)(initdb, options, {
      cwd: path,
      timeout: INITDB_TIMEOUT_MS,
      // Nothing of ours (secrets among it) reaches the server's environment.
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", NODE_ENV: "production" },
      ...(place.user ?? {}),
    });
  } catch (error) {
    const words = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    throw new Error(`The database cluster could not be made in ${place.homePath}.\n${words}`, {
      cause: error,
    });
  }
}

/** Null: there is no cluster. */
async function readClusterVersion(dataPath: string): Promise<number | null> {
  try {
    return Number.parseInt(await readFile(join(dataPath, "PG_VERSION"), "utf8"), 10);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Without it a power failure could forget the rename. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
