import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import type { Binaries } from "@/lib/db/embedded-binaries";
import { type Place, WORKING_FOLDER } from "@/lib/db/embedded-place";
import { hasCode } from "@/lib/platform/error-code";
import { projectPath } from "@/lib/platform/project-path";

interface LaunchOptions {
  /** False only for tests: a crash of the machine may then lose everything. */
  isDurable: boolean;
  maximumConnections: number;
  /** How long the server outlives a last user that was killed: a restart finds it warm. */
  graceMs: number;
  startTimeoutMs: number;
}

/** PostgreSQL numbers its socket by a port even without TCP. */
export const SOCKET_PORT = 5432;

const MAX_LOG_BYTES = 1_000_000;
const LAUNCH_TIMEOUT_MS = 20_000;

/**
 * Starts a supervisor (`supervisor/main.mjs`) in its own session, and returns once it can be joined or has found
 * another one. Joining tells whether it succeeded.
 * @throws Error if the supervisor ends before that
 */
export async function launchSupervisor(
  place: Place,
  binaries: Binaries,
  options: LaunchOptions,
): Promise<void> {
  const log = await openLog(join(place.homePath, "supervisor.log"));
  try {
    const spec = JSON.stringify(describeServer(place, binaries, options));
    const supervisor = spawn(process.execPath, [projectPath("lib/db/supervisor/main.mjs"), spec], {
      cwd: place.homePath,
      // Its own session: neither Ctrl-C nor closing the terminal stops the database before its users have left.
      detached: true,
      stdio: ["ignore", log.fd, log.fd, "ipc"],
      // Nothing of our environment (secrets, NODE_OPTIONS) reaches the server's. macOS needs LC_ALL.
      env: { PATH: process.env.PATH, LC_ALL: "C", NODE_ENV: "production" },
    });
    supervisor.unref();
    await waitForReport(supervisor);
  } finally {
    await log.close();
  }
}

/** The shape is `ServerSpec` in `supervisor/postmaster.mjs`. */
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
    settings: serverSettings(place, options),
    graceMs: options.graceMs,
    startTimeoutMs: options.startTimeoutMs,
  };
}

/** Passed at each start instead of written into the cluster, so that a new Sluice brings its own. */
function serverSettings(
  place: Place,
  { isDurable, maximumConnections }: Pick<LaunchOptions, "isDurable" | "maximumConnections">,
): string[] {
  // Without fsync a commit still reaches the operating system, and so survives the death of any of our processes.
  const durable = isDurable ? "on" : "off";
  return [
    "listen_addresses=",
    `port=${SOCKET_PORT}`,
    `cluster_name=${clusterName(place)}`,
    // Relative to the cluster's folder, the server's working folder; `run` may be a link (see `embedded-place.ts`).
    "unix_socket_directories=../run",
    "unix_socket_permissions=0700",
    `max_connections=${maximumConnections}`,
    "shared_buffers=128MB",
    `fsync=${durable}`,
    "synchronous_commit=on",
    `full_page_writes=${durable}`,
    "wal_compression=on",
    "max_wal_size=1GB",
    // Beyond it the archive begins again: a log that nobody copies must not fill the disk.
    "max_slot_wal_keep_size=1GB",
    "random_page_cost=1.1",
    // Parallel queries need more of /dev/shm than Docker's 64 MB, and our queries are short.
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

/** Distinguishes this folder's server from any other in the process list, where the folder itself may not be named. */
function clusterName({ dataPath }: Place): string {
  return `sluice-${createHash("sha256").update(dataPath).digest("hex").slice(0, 16)}`;
}

async function openLog(path: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const log = await open(path, O_APPEND | O_CREAT | O_WRONLY, 0o600);
  if ((await log.stat()).size > MAX_LOG_BYTES) await log.truncate();
  return log;
}

async function waitForReport(supervisor: ChildProcess): Promise<void> {
  const timeout = AbortSignal.timeout(LAUNCH_TIMEOUT_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      supervisor.once("message", () => resolve());
      supervisor.once("error", reject);
      supervisor.once("exit", (code, signal) => {
        // It found another supervisor, and its message was lost.
        if (code === 0) resolve();
        reject(
          new Error(
            `The supervisor of the database ended (${signal ?? code}): see supervisor.log in the data folder.`,
          ),
        );
      });
      timeout.addEventListener("abort", () =>
        reject(new Error("The supervisor of the database did not answer.")),
      );
    });
  } finally {
    supervisor.removeAllListeners();
    if (supervisor.connected) supervisor.disconnect();
  }
}

/**
 * This process's membership in a running server: while the connection is open, the supervisor keeps the server running.
 */
export interface Membership {
  /**
   * Leaves. Resolves at once while others use the server, else once it has shut down.
   * @returns false if the supervisor was lost before it confirmed: another one may run the server now
   * @throws Error if the shutdown takes longer than `timeoutMs`
   */
  leave(timeoutMs: number): Promise<boolean>;
  /** Resolves when the supervisor is lost; never after `leave`. */
  lost: Promise<void>;
}

const LEFT = `${JSON.stringify({ state: "left" })}\n`;
const reportSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("ready") }),
  z.object({ state: z.literal("failed"), message: z.string() }),
]);

const MAX_REPORT_BYTES = 16_384;

/**
 * Joins the supervisor of the server whose sockets are in `socketPath` and waits until the server is ready.
 * @returns null if there is no supervisor, or it ended before the server was ready: launch one and try again
 * @throws Error with PostgreSQL's message if the server does not start, or if nothing happens within `timeoutMs`
 */
export async function joinSupervisor(socketPath: string, timeoutMs: number): Promise<Membership | null> {
  const socket = createConnection(join(socketPath, "keeper.sock"));
  socket.setEncoding("utf8");
  // An error is always followed by "close", which everything below waits for.
  let problem: unknown = null;
  socket.on("error", (error) => {
    problem = error;
  });
  socket.write("join\n");
  const report = await readReport(socket, timeoutMs);
  if (report === null) {
    // ENOENT, ECONNREFUSED: no supervisor. ECONNRESET, EPIPE: it ended just now.
    if (problem && !hasCode(problem, "ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE")) throw problem;
    return null;
  }
  if (report.state === "failed") {
    socket.destroy();
    throw new Error(report.message);
  }
  return hold(socket);
}

function hold(socket: Socket): Membership {
  // The connection alone must not keep a process alive.
  socket.unref();
  let isLeaving = false;
  let answer = "";
  socket.on("data", (text) => {
    answer = (answer + text).slice(-LEFT.length);
  });
  return {
    lost: new Promise((resolve) => {
      socket.once("close", () => {
        if (!isLeaving) resolve();
      });
    }),
    async leave(timeoutMs) {
      isLeaving = true;
      if (socket.destroyed) return false;
      socket.ref();
      const closed = once(socket, "close", { signal: AbortSignal.timeout(timeoutMs) });
      socket.write("leave\n");
      await closed;
      return answer === LEFT;
    },
  };
}

async function readReport(socket: Socket, timeoutMs: number): Promise<z.infer<typeof reportSchema> | null> {
  const timer = setTimeout(() => {
    socket.destroy(new Error(`The embedded database was not ready within ${timeoutMs} ms.`));
  }, timeoutMs);
  try {
    const line = await new Promise<string | null>((resolve) => {
      let received = "";
      socket.on("data", (text) => {
        received += text;
        if (received.includes("\n") || received.length > MAX_REPORT_BYTES) resolve(received);
      });
      socket.once("close", () => resolve(null));
    });
    return line === null ? null : reportSchema.parse(JSON.parse(line));
  } finally {
    clearTimeout(timer);
    socket.removeAllListeners("data");
  }
}
