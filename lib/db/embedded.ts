import { execFile } from "node:child_process";
import { chown, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Logger } from "pino";
import {
  type Binaries,
  findInstalled,
  findPackage,
  prepareBinaries,
  removeOldCopies,
} from "@/lib/db/embedded-binaries";
import {
  halfMadePath,
  type Place,
  preparePlace,
  removeAbandoned,
  WORKING_FOLDER,
  wasFaster,
} from "@/lib/db/embedded-place";
import { joinSupervisor, launchSupervisor, type Membership, SOCKET_PORT } from "@/lib/db/embedded-supervisor";
import { hasCode } from "@/lib/platform/error-code";

export interface EmbeddedOptions {
  /** Absolute path; created if it does not exist. */
  dataDirectory: string;
  /** Folder with the programs of an installed PostgreSQL (SLUICE_POSTGRES_BIN). Unset: those of the npm package. */
  postgresBin?: string | null;
  /** False only for tests: a crash of the machine may then lose everything. */
  fsync?: boolean;
  /** 100 unless given, enough for five processes; a proof with ten needs more. */
  maximumConnections?: number;
  /** How long the server outlives a last user that was killed. */
  graceMs?: number;
  startTimeoutMs?: number;
  log?: Pick<Logger, "debug" | "info" | "warn" | "error">;
}

/** A running embedded server that this process is a member of. */
export interface EmbeddedServer {
  /** Folder of the server's socket: `host` for `pg`. */
  host: string;
  port: number;
  /**
   * Leaves; the last process to do so waits until the server has shut down. Call it after everything that uses the
   * database has ended.
   */
  leave(): Promise<void>;
}

const MAXIMUM_CONNECTIONS = 100;
const DEFAULT_GRACE_MS = 1_000;
const DEFAULT_START_TIMEOUT_MS = 120_000;
const LEAVE_TIMEOUT_MS = 90_000;
const RETRY_MS = 50;
const REJOIN_MS = 1_000;
const MAX_REJOIN_MS = 30_000;
const MAX_LEAVE_ATTEMPTS = 3;
/** One suffices, except for supervisors that come and go at the same moment. */
const MAX_LAUNCHES = 50;

/**
 * Starts the embedded PostgreSQL of `dataDirectory`, or joins the running one (docs/embedded-postgres.md). The server
 * ends with the last process that uses it, however that process ends.
 * @throws Error naming what to change if this machine cannot run it; with PostgreSQL's message if it fails
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = await preparePlace(options.dataDirectory);
  const membership = await joinOrLaunch(place, options);
  const share = keepShare(membership, place, options);
  return { host: place.socketPath, port: SOCKET_PORT, leave: share.leave };
}

async function joinOrLaunch(place: Place, options: EmbeddedOptions): Promise<Membership> {
  const startTimeoutMs = options.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS;
  const isDurable = options.fsync ?? true;
  const deadline = performance.now() + startTimeoutMs;
  for (let launches = 0; launches < MAX_LAUNCHES && performance.now() < deadline; launches++) {
    const membership = await joinSupervisor(place.socketPath, deadline - performance.now());
    if (membership) return membership;
    if (launches > 0) await pause(RETRY_MS);
    await removeAbandoned(place.homePath);
    const binaries = options.postgresBin
      ? await findInstalled(options.postgresBin, place)
      : await prepareBinaries(findPackage(), place);
    await createCluster(place, binaries, isDurable);
    await removeOldCopies(place, binaries);
    await launchSupervisor(place, binaries, {
      isDurable,
      maximumConnections: options.maximumConnections ?? MAXIMUM_CONNECTIONS,
      graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
      startTimeoutMs,
    });
  }
  throw new Error(`The embedded database was not ready within ${startTimeoutMs} ms.`);
}

/** Joins again when the supervisor is lost (killed, or displaced by another); the server keeps running. */
function keepShare(first: Membership, place: Place, options: EmbeddedOptions) {
  let current = first;
  let isLeaving = false;
  let rejoining = Promise.resolve();
  const watch = (membership: Membership) => {
    void membership.lost.then(() => {
      if (isLeaving) return;
      rejoining = rejoin();
    });
  };
  let endPauses = () => {};
  const left = new Promise<void>((resolve) => {
    endPauses = resolve;
  });
  // Retries as long as this process lives: stopping would leave it without a database until someone restarts it.
  const rejoin = async () => {
    options.log?.warn("The supervisor of the database was lost; joining again.");
    for (let failures = 0; !isLeaving; failures++) {
      try {
        current = await joinOrLaunch(place, options);
        watch(current);
        return;
      } catch (error) {
        const backoffMs = Math.min(REJOIN_MS * 2 ** failures, MAX_REJOIN_MS);
        options.log?.error(
          { err: error, backoffMs },
          "Could not reach a supervisor of the database; will try again.",
        );
        await Promise.race([pause(backoffMs, undefined, { ref: false }), left]);
      }
    }
  };
  watch(first);
  const leave = async () => {
    isLeaving = true;
    endPauses();
    await rejoining;
    for (let attempt = 0; attempt < MAX_LEAVE_ATTEMPTS; attempt++) {
      if (await current.leave(LEAVE_TIMEOUT_MS)) return;
      const successor = await joinSupervisor(place.socketPath, LEAVE_TIMEOUT_MS);
      if (!successor) return;
      current = successor;
    }
  };
  let leaving: Promise<void> | null = null;
  return {
    leave() {
      leaving ??= leave();
      return leaving;
    },
  };
}

/** The superuser that initdb creates; Sluice uses it only to create its own roles and database. */
export const SUPERUSER = "postgres";

const INITDB_TIMEOUT_MS = 120_000;

/**
 * Creates the cluster if there is none, in a temporary folder that is renamed when complete: an interrupted start
 * leaves no partial cluster, and of two first starts one wins and the other uses its result.
 * @param isDurable false only for tests: does not wait for the disk
 * @throws Error if the existing cluster was created by another major version of PostgreSQL
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
    // The built-in locale sorts the same on every machine and after every upgrade of system libraries, so indexes on
    // text stay valid when the folder is moved.
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--data-checksums",
    // There is no TCP port, and the socket folder (mode 0700) admits only the account that owns the data.
    "--auth-local=trust",
    "--auth-host=reject",
    "--no-instructions",
    ...(isDurable ? [] : ["--no-sync"]),
  ];
  try {
    await promisify(execFile)(initdb, options, {
      cwd: path,
      timeout: INITDB_TIMEOUT_MS,
      // Nothing of our environment, secrets among it, reaches the server's.
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

/** A power failure could otherwise undo the rename. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
