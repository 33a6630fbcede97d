import { chown, lstat, open, readFile, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { isAlive, isErrorWithCode, readProcessFacts } from "./process-facts.mjs";

/** Between the start of the process and the second PostgreSQL notes in its file; also covers a slewed clock. */
const START_TOLERANCE_SECONDS = 10;

/**
 * The lines of `postmaster.pid` that matter here, or null when there is no such file (or it is being written).
 * @param {string} dataPath
 * @returns {Promise<{ pid: number, startedAtSeconds: number, status: string } | null>} `status` is PostgreSQL's:
 *   starting, ready, stopping or standby.
 */
export async function readPostmasterFile(dataPath) {
  const lines = (await readOrEmpty(join(dataPath, "postmaster.pid"))).split("\n");
  // A single-user backend (initdb, repair) writes its id as a negative number.
  const pid = Math.abs(Number.parseInt(lines[0] ?? "", 10));
  if (!Number.isSafeInteger(pid) || pid === 0) return null;
  return { pid, startedAtSeconds: Number(lines[2] ?? 0), status: (lines[7] ?? "").trim() };
}

/**
 * The postmaster that serves this data folder now, whoever started it. The process must agree with the file in id, command
 * line and start time: anything else is somebody's program which must never receive a signal from us.
 * @param {{ dataPath: string, clusterName: string }} spec
 * @returns {Promise<{ pid: number, startedAtSeconds: number, status: string } | null>} `status` is "unverified" while only the start time
 *   differs: another postmaster of this folder that has not written its file yet.
 */
export async function findRunningPostmaster(spec) {
  const noted = await readPostmasterFile(spec.dataPath);
  if (!noted) return null;
  const facts = await readProcessFacts(noted.pid);
  if (!facts || !isCommandOf(facts.command, spec)) return null;
  const isSameStart = Math.abs(facts.startedAtSeconds - noted.startedAtSeconds) <= START_TOLERANCE_SECONDS;
  return { ...noted, status: isSameStart ? noted.status : "unverified" };
}

/**
 * True until the process that was a postmaster at `startedAtSeconds` has really ended: its file, and then its command
 * line, are gone a moment before.
 * @param {number} pid
 * @param {number} startedAtSeconds
 */
export async function isSameProcess(pid, startedAtSeconds) {
  const facts = await readProcessFacts(pid);
  return facts !== null && Math.abs(facts.startedAtSeconds - startedAtSeconds) <= START_TOLERANCE_SECONDS;
}

/**
 * Ours carries the cluster's name; one that a person started for a repair carries the folder.
 * @param {string[]} command
 * @param {{ dataPath: string, clusterName: string }} spec
 */
function isCommandOf([program = "", ...options], { dataPath, clusterName }) {
  // Where the system keeps no list of arguments (macOS) all is one string.
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
 * A killed postmaster leaves its lock files, and PostgreSQL clears them itself unless the noted process id is alive
 * as another program: then it refuses to start, for good where ids repeat (a container after `docker kill`).
 * Call it only when `findRunningPostmaster` found none.
 *
 * The file must not be deleted: its shared memory key is how PostgreSQL notices backends of the dead postmaster
 * that still write. So only the id is replaced, by that of this process: PostgreSQL takes its own parent's id for
 * a leftover, and checks the shared memory as usual.
 * @param {string[]} lockFiles
 */
export async function disownReusedProcessId(lockFiles) {
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
