import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { projectPath } from "@/lib/platform/project-path";
import type { Binaries } from "./embedded-binaries";
import { type Place, WORKING_FOLDER } from "./embedded-place";

export interface LaunchOptions {
  /** False only for tests: a crash of the machine may then lose everything. */
  isDurable: boolean;
  /** How long the server outlives a last user that was killed: a restart finds it warm. */
  graceMs: number;
  startTimeoutMs: number;
}

/** PostgreSQL numbers its socket by a port even where there is none. */
export const SOCKET_PORT = 5432;

const MAX_LOG_BYTES = 1_000_000;
const LAUNCH_TIMEOUT_MS = 20_000;

/**
 * Starts a keeper (`keeper/main.mjs`) as a process of its own session, and returns when it can be joined or has found
 * another one. Whether it succeeded in the end, the joining tells.
 * @throws Error when the keeper ends before that.
 */
export async function launchKeeper(place: Place, binaries: Binaries, options: LaunchOptions): Promise<void> {
  const log = await openLog(join(place.homePath, "keeper.log"));
  try {
    const spec = JSON.stringify(describeServer(place, binaries, options));
    const keeper = spawn(process.execPath, [projectPath("lib/db/keeper/main.mjs"), spec], {
      cwd: place.homePath,
      // Its own session: neither Ctrl-C nor the end of the terminal reaches the database before its users have left.
      detached: true,
      stdio: ["ignore", log.fd, log.fd, "ipc"],
      // Nothing of ours (secrets among it, NODE_OPTIONS) reaches the server's environment. macOS needs LC_ALL.
      env: { PATH: process.env.PATH, LC_ALL: "C", NODE_ENV: "production" },
    });
    keeper.unref();
    await waitForReport(keeper);
  } finally {
    await log.close();
  }
}

/** The shape is `ServerSpec` in `keeper/postmaster.mjs`. */
function describeServer(place: Place, binaries: Binaries, options: LaunchOptions) {
  return {
    postgres: binaries.postgres,
    uid: place.user?.uid ?? null,
    gid: place.user?.gid ?? null,
    dataPath: place.dataPath,
    dataArgument: place.isReachable ? place.dataPath : WORKING_FOLDER,
    clusterName: clusterName(place),
    socketPath: place.socketPath,
    logPath: place.logPath,
    startupLog: join(place.homePath, "startup.log"),
    settings: serverSettings(place, options.isDurable),
    graceMs: options.graceMs,
    startTimeoutMs: options.startTimeoutMs,
  };
}

/** Given at each start instead of written into the cluster, so that a new Sluice brings its own. */
function serverSettings(place: Place, isDurable: boolean): string[] {
  // Without fsync a commit still reaches the system, and so survives the death of every process of ours.
  const durable = isDurable ? "on" : "off";
  return [
    "listen_addresses=",
    `port=${SOCKET_PORT}`,
    `cluster_name=${clusterName(place)}`,
    // From the cluster's folder, which is the server's working folder; `run` may be a link (see `embedded-place.ts`).
    "unix_socket_directories=../run",
    "unix_socket_permissions=0700",
    "max_connections=100",
    "shared_buffers=128MB",
    `fsync=${durable}`,
    "synchronous_commit=on",
    `full_page_writes=${durable}`,
    "wal_compression=on",
    "max_wal_size=1GB",
    "random_page_cost=1.1",
    // Parallel queries need more of /dev/shm than the 64 MB that Docker gives, and our queries are short.
    "max_parallel_workers_per_gather=0",
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
    "logging_collector=on",
    "log_directory=../log",
    "log_filename=postgresql-%Y%m%d-%H%M%S.log",
    "log_rotation_size=5MB",
    "log_rotation_age=7d",
    "log_min_messages=warning",
    // Statements and the values that PostgreSQL quotes in details may hold personal data: neither is logged.
    "log_min_error_statement=panic",
    "log_error_verbosity=terse",
  ];
}

/** Tells this folder's server from any other in the process list, where the folder itself may not be named. */
function clusterName({ dataPath }: Place): string {
  return `sluice-${createHash("sha256").update(dataPath).digest("hex").slice(0, 16)}`;
}

async function openLog(path: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const log = await open(path, O_APPEND | O_CREAT | O_WRONLY, 0o600);
  if ((await log.stat()).size > MAX_LOG_BYTES) await log.truncate();
  return log;
}

async function waitForReport(keeper: ChildProcess): Promise<void> {
  const timeout = AbortSignal.timeout(LAUNCH_TIMEOUT_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      keeper.once("message", () => resolve());
      keeper.once("error", reject);
      keeper.once("exit", (code, signal) => {
        // It found another keeper and its word was lost.
        if (code === 0) resolve();
        reject(
          new Error(
            `The keeper of the database ended (${signal ?? code}): see keeper.log in the data folder.`,
          ),
        );
      });
      timeout.addEventListener("abort", () =>
        reject(new Error("The keeper of the database did not answer.")),
      );
    });
  } finally {
    keeper.removeAllListeners();
    if (keeper.connected) keeper.disconnect();
  }
}
