import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { chown, lstat, open, readFile, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive, isErrorWithCode, readProcessFacts } from "./process-facts.mjs";

const POLL_MS = 5;
const RETRY_MS = 50;
/** A fast shutdown writes a checkpoint; after this long, an immediate one leaves that to recovery. */
const FAST_SHUTDOWN_MS = 60_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/**
 * @typedef {object} ServerSpec Where the server lives and how it runs; made by `embedded-supervisor.ts`.
 * @property {string} postgres Path of the executable.
 * @property {number | null} uid User of the server; null: this process's.
 * @property {number | null} gid
 * @property {string} dataPath
 * @property {string} dataArgument How the server's account can name `dataPath`.
 * @property {string} clusterName Unique to `dataPath`; part of the server's command line.
 * @property {string} socketPath
 * @property {string} logPath
 * @property {string} startupLog
 * @property {string[]} settings `name=value`
 * @property {number} graceMs How long the server outlives its last user.
 * @property {number} startTimeoutMs
 *
 * @typedef {object} Postmaster
 * @property {number} pid
 * @property {() => Promise<boolean>} isRunning
 */

/**
 * The running server of this data folder: an orphan is adopted (programs may be using it), otherwise a new one is
 * started. Two supervisors may try at once: PostgreSQL's own lock decides, and the loser adopts.
 * @param {ServerSpec} spec
 * @returns {Promise<Postmaster>}
 * @throws {Error} with PostgreSQL's own message if it does not start
 */
export async function obtainPostmaster(spec) {
  const deadline = performance.now() + spec.startTimeoutMs;
  while (performance.now() < deadline) {
    const running = await findRunningPostmaster(spec);
    if (running?.status === "ready") return adopt(running);
    if (!running) {
      const postmaster = await startPostmaster(spec, deadline);
      if (postmaster) return postmaster;
    }
    // Starting, stopping, or leaving backends behind that end by themselves.
    await pause(RETRY_MS);
  }
  throw new Error(`PostgreSQL was not ready within ${spec.startTimeoutMs} ms.\n${readTail(spec.startupLog)}`);
}

/**
 * Its end is not reported as a child's would be: every check verifies again that the id is still this server.
 * @param {{ pid: number, startedAtSeconds: number }} running
 * @returns {Postmaster}
 */
function adopt({ pid, startedAtSeconds }) {
  return { pid, isRunning: () => isSameProcess(pid, startedAtSeconds) };
}

/**
 * Null: it lost to another postmaster or leftovers of a killed one, or was killed; worth another try.
 * @param {ServerSpec} spec
 * @param {number} deadline
 * @returns {Promise<Postmaster | null>}
 */
async function startPostmaster(spec, deadline) {
  await disownReusedProcessId([
    join(spec.dataPath, "postmaster.pid"),
    join(spec.socketPath, ".s.PGSQL.5432.lock"),
  ]);
  const child = spawnPostmaster(spec);
  /** @type {Error | null} */
  let spawnError = null;
  child.once("error", (error) => {
    spawnError = error;
  });
  const isRunning = async () =>
    child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  while ((await isRunning()) && performance.now() < deadline) {
    const noted = await readPostmasterFile(spec.dataPath);
    if (noted && noted.pid === child.pid && noted.status === "ready") return { pid: noted.pid, isRunning };
    await pause(POLL_MS);
  }
  if (await isRunning()) {
    child.kill("SIGINT");
    return null;
  }
  // Killed while it recovers (by the kernel, out of memory) does not mean that it cannot start.
  if (child.signalCode === "SIGKILL") return null;
  await pause(0); // a spawn error is reported in the next tick
  const words = spawnError ? String(spawnError) : readTail(spec.startupLog);
  if (/lock file ".*" already exists|is still in use/.test(words)) return null;
  throw new Error(`PostgreSQL did not start.\n${words}`);
}

/** @param {ServerSpec} spec */
function spawnPostmaster(spec) {
  // Only output from before the log collector starts lands here; truncated at each start, it stays small.
  const startupLog = openSync(spec.startupLog, "w", 0o600);
  try {
    return spawn(
      spec.postgres,
      ["-D", spec.dataArgument, ...spec.settings.flatMap((setting) => ["-c", setting])],
      {
        cwd: spec.dataPath,
        stdio: ["ignore", startupLog, startupLog],
        ...(spec.uid !== null && spec.gid !== null ? { uid: spec.uid, gid: spec.gid } : {}),
      },
    );
  } finally {
    closeSync(startupLog);
  }
}

/**
 * Fast shutdown: ends sessions and writes a checkpoint. Never SIGKILL, which would leave shared memory behind.
 * @param {Postmaster} postmaster
 */
export async function stopPostmaster(postmaster) {
  for (const [signal, boundMs] of /** @type {const} */ ([
    ["SIGINT", FAST_SHUTDOWN_MS],
    ["SIGQUIT", IMMEDIATE_SHUTDOWN_MS],
  ])) {
    if (!(await postmaster.isRunning())) return;
    process.kill(postmaster.pid, signal);
    const deadline = performance.now() + boundMs;
    while ((await postmaster.isRunning()) && performance.now() < deadline) await pause(POLL_MS);
  }
  if (await postmaster.isRunning()) throw new Error(`PostgreSQL (process ${postmaster.pid}) did not stop.`);
}

/** @param {string} path */
function readTail(path) {
  return readFileSync(path, "utf8").slice(-4_000).trim();
}

/** The gap between the process start and the second PostgreSQL records in its file; also covers a slewed clock. */
const START_TOLERANCE_SECONDS = 10;

/**
 * The lines of `postmaster.pid` that matter here, or null if there is no such file (or it is being written).
 * @param {string} dataPath
 * @returns {Promise<{ pid: number, startedAtSeconds: number, status: string } | null>} `status` is PostgreSQL's:
 *   starting, ready, stopping or standby
 */
async function readPostmasterFile(dataPath) {
  const lines = (await readOrEmpty(join(dataPath, "postmaster.pid"))).split("\n");
  // A single-user backend (initdb, repair) writes its id as a negative number.
  const pid = Math.abs(Number.parseInt(lines[0] ?? "", 10));
  if (!Number.isSafeInteger(pid) || pid === 0) return null;
  return { pid, startedAtSeconds: Number(lines[2] ?? 0), status: (lines[7] ?? "").trim() };
}

/**
 * The postmaster that serves this data folder now, however it was started. The process must match the file in id,
 * command line and start time: any other process must never receive a signal from us.
 * @param {{ dataPath: string, clusterName: string }} spec
 * @returns {Promise<{ pid: number, startedAtSeconds: number, status: string } | null>} `status` is "unverified" while
 *   only the start time differs: another postmaster of this folder that has not written its file yet
 */
async function findRunningPostmaster(spec) {
  const noted = await readPostmasterFile(spec.dataPath);
  if (!noted) return null;
  const facts = await readProcessFacts(noted.pid);
  if (!facts || !isCommandOf(facts.command, spec)) return null;
  const isSameStart = Math.abs(facts.startedAtSeconds - noted.startedAtSeconds) <= START_TOLERANCE_SECONDS;
  return { ...noted, status: isSameStart ? noted.status : "unverified" };
}

/**
 * True until the process that was a postmaster at `startedAtSeconds` has really ended: its file, and then its command
 * line, disappear a moment earlier.
 * @param {number} pid
 * @param {number} startedAtSeconds
 */
async function isSameProcess(pid, startedAtSeconds) {
  const facts = await readProcessFacts(pid);
  return facts !== null && Math.abs(facts.startedAtSeconds - startedAtSeconds) <= START_TOLERANCE_SECONDS;
}

/**
 * Ours carries the cluster's name; one started by hand for a repair carries the folder.
 * @param {string[]} command
 * @param {{ dataPath: string, clusterName: string }} spec
 */
function isCommandOf([program = "", ...options], { dataPath, clusterName }) {
  // Where the system keeps no list of arguments (macOS), all are one string.
  if (options.length === 0) {
    const marks = [` cluster_name=${clusterName} `, ` -D ${dataPath} `];
    return /\bpostgres -D /.test(program) && marks.some((mark) => `${program} `.includes(mark));
  }
  const folder = options[options.indexOf("-D") + 1];
  return (
    basename(program) === "postgres" &&
    (folder === dataPath || options.includes(`cluster_name=${clusterName}`))
  );
}

/**
 * A killed postmaster leaves its lock files. PostgreSQL clears them itself unless the recorded process id now belongs
 * to another program: then it refuses to start, permanently where ids repeat (a container after `docker kill`). Call it
 * only if `findRunningPostmaster` found none.
 *
 * Do not delete the file: its shared memory key is how PostgreSQL notices backends of the dead postmaster that still
 * write. Only the id is replaced, by this process's: PostgreSQL takes its own parent's id for a leftover, and checks
 * the shared memory as usual.
 * @param {string[]} lockFiles
 */
async function disownReusedProcessId(lockFiles) {
  for (const path of lockFiles) {
    const content = await readOrEmpty(path);
    const [firstLine = "", ...rest] = content.split("\n");
    const pid = Math.abs(Number.parseInt(firstLine, 10));
    if (!pid || pid === process.pid || !isAlive(pid)) continue;
    const { uid, gid } = await lstat(path);
    const replacement = `${path}.${process.pid}`;
    // "wx" does not follow a link planted in a folder that belongs to the server's user.
    const file = await open(replacement, "wx", 0o600);
    try {
      await file.writeFile([String(process.pid), ...rest].join("\n"));
    } finally {
      await file.close();
    }
    await chown(replacement, uid, gid);
    await rename(replacement, path);
  }
}

/** @param {string} path */
async function readOrEmpty(path) {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isErrorWithCode(error, "ENOENT")) return "";
    throw error;
  }
}
