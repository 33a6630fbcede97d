/**
 * The supervisor of the embedded database: a small process that lives as long as some process uses the server, and
 * stops the server when the last one is gone, even by `kill -9`.
 *
 * Every user holds one connection to the supervisor's socket; the kernel closes it however that process ends. Plain
 * JavaScript without dependencies, so it runs unchanged from the sources and beside the bundle.
 *
 * - The supervisor is the process that owns the public socket path (`publish` below). One that finds itself displaced
 *   ends without touching the server, and its users join the new one.
 * - PostgreSQL's own lock admits one postmaster, and a supervisor adopts the one it finds.
 */
import { link, readdir, rename, stat, unlink } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import { obtainPostmaster, stopPostmaster } from "./postmaster.mjs";
import { isErrorWithCode } from "./process-facts.mjs";

/** The launching process joins within milliseconds; if it died meanwhile, nobody will. */
const FIRST_USER_MS = 10_000;
const WATCH_MS = 500;
const WATCHES_PER_LOG_CLEANUP = 120;
/** A failed supervisor stays this long to report why: its launcher may still be about to join. */
const LAST_WORDS_MS = 1_000;
const LOG_FILES_KEPT = 5;
const MAX_RESTARTS_PER_MINUTE = 5;
const MAX_PUBLISH_ATTEMPTS = 20;
/** Users send only "join\n" and "leave\n". */
const MAX_MESSAGE_BYTES = 64;
/** Without this answer a leaving user looks for the supervisor that displaced this one. */
const LEFT = `${JSON.stringify({ state: "left" })}\n`;

/** @type {import("./postmaster.mjs").ServerSpec} */
const spec = JSON.parse(process.argv[2] ?? "");
// Supervisors of earlier versions may be running under these names: never rename the sockets.
const publicSocket = join(spec.socketPath, "keeper.sock");
const ownSocket = join(spec.socketPath, `keeper-${process.pid}.sock`);

/** @type {Set<import("node:net").Socket>} */
const users = new Set();
const server = createServer(welcome);
/** @type {"starting" | "ready" | "stopping" | "failed"} */
let state = "starting";
let failureMessage = "";
let watches = 0;
/** @type {Promise<import("./postmaster.mjs").Postmaster> | null} */
let obtaining = null;
/** @type {NodeJS.Timeout | undefined} */
let lonelyTimer;
let publishedInode = 0;
/** @type {number[]} */
let restartedAtMs = [];

// A terminal or a service manager signals the whole group. The users drain first and then leave, which ends this
// process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (users.size === 0) void stop();
  });
}
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

await keep();

async function keep() {
  await new Promise((resolve, reject) => {
    server.once("error", reject).listen(ownSocket, () => resolve(undefined));
  });
  publishedInode = (await stat(ownSocket)).ino;
  if (!(await publish(ownSocket, publicSocket))) {
    await unlink(ownSocket);
    report("elsewhere", () => process.exit(0));
    return;
  }
  report("published");
  waitForUsers(FIRST_USER_MS);
  await serve();
  setInterval(() => void watch().catch(fail), WATCH_MS);
}

async function serve() {
  obtaining = obtainPostmaster(spec);
  await obtaining;
  if (state !== "starting") return;
  state = "ready";
  for (const user of users) sayReady(user);
}

/** @param {import("node:net").Socket} user */
function welcome(user) {
  user.setEncoding("utf8");
  user.on("error", () => user.destroy());
  user.on("close", () => forget(user));
  let received = "";
  user.on("data", (text) => {
    received += text;
    if (received.length > MAX_MESSAGE_BYTES) user.destroy();
    if (state === "failed") user.end(failureReport());
    if (received.includes("join\n") && !users.has(user) && (state === "starting" || state === "ready")) {
      users.add(user);
      clearTimeout(lonelyTimer);
      if (state === "ready") sayReady(user);
    }
    if (received.includes("leave\n")) dismiss(user);
  });
}

/**
 * An orderly leave: the last user waits for the shutdown (its connection ends with this process), so that a container
 * whose first process it is does not kill the server during a checkpoint.
 * @param {import("node:net").Socket} user
 */
function dismiss(user) {
  // Immediately, not when its connection has closed: the next one to leave may be the last, and must know.
  const wasUser = users.delete(user);
  if (wasUser && users.size === 0) void stop(user);
  else user.end(LEFT);
}

/** @param {import("node:net").Socket} user */
function forget(user) {
  if (users.delete(user) && users.size === 0) waitForUsers(spec.graceMs);
}

/** @param {number} graceMs */
function waitForUsers(graceMs) {
  clearTimeout(lonelyTimer);
  lonelyTimer = setTimeout(() => {
    if (users.size === 0) void stop();
  }, graceMs);
}

/** @param {import("node:net").Socket} user */
function sayReady(user) {
  user.write(`${JSON.stringify({ state: "ready" })}\n`);
}

async function watch() {
  if (state !== "ready") return;
  if (await wasDisplaced()) process.exit(0);
  const postmaster = await obtaining;
  if (postmaster && !(await postmaster.isRunning()) && state === "ready") await restart();
  if (watches++ % WATCHES_PER_LOG_CLEANUP === 0) await removeOldLogs();
}

async function restart() {
  const now = performance.now();
  restartedAtMs = [...restartedAtMs.filter((at) => now - at < 60_000), now];
  if (restartedAtMs.length > MAX_RESTARTS_PER_MINUTE) throw new Error("PostgreSQL ends again and again.");
  state = "starting";
  await serve();
}

/** @param {import("node:net").Socket} [lastUser] waits for it */
async function stop(lastUser) {
  if (state === "stopping" || state === "failed") return;
  state = "stopping";
  try {
    if (await wasDisplaced()) process.exit(0);
    await unlink(publicSocket).catch(ignoreMissing);
    // Let a starting server finish: only then does it stop without recovery at the next start.
    const postmaster = await obtaining;
    if (postmaster) await stopPostmaster(postmaster);
    if (!lastUser || lastUser.destroyed) process.exit(0);
    lastUser.once("close", () => process.exit(0)).end(LEFT);
  } catch (error) {
    fail(error);
  }
}

/** True if another supervisor took the public path and now runs the server. */
async function wasDisplaced() {
  try {
    return (await stat(publicSocket)).ino !== publishedInode;
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
}

/** PostgreSQL starts a new file at `log_rotation_size` but never deletes the old ones. */
async function removeOldLogs() {
  const names = (await readdir(spec.logPath)).filter((name) => name.endsWith(".log")).sort();
  for (const name of names.slice(0, -LOG_FILES_KEPT))
    await unlink(join(spec.logPath, name)).catch(ignoreMissing);
}

/**
 * Notifies the launching process, which waits for this message.
 * @param {"published" | "elsewhere"} word
 */
function report(word, whenReported = () => {}) {
  if (!process.connected || !process.send) return whenReported();
  process.send(word, () => {
    if (process.connected) process.disconnect?.();
    whenReported();
  });
}

/**
 * Leaves the server alone: if it runs, the next supervisor adopts it.
 * @param {unknown} error
 */
function fail(error) {
  if (state === "failed") return;
  state = "failed";
  failureMessage = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${failureMessage}\n`);
  for (const user of users) user.end(failureReport());
  setTimeout(() => process.exit(1), LAST_WORDS_MS);
}

function failureReport() {
  return `${JSON.stringify({ state: "failed", message: failureMessage })}\n`;
}

/** @param {unknown} error */
function ignoreMissing(error) {
  if (!isErrorWithCode(error, "ENOENT")) throw error;
}

/**
 * Gives a listening socket its public name, which only one supervisor can hold: `link` fails if the name exists. A
 * stale one (its supervisor was killed) is removed first.
 * @param {string} ownSocket
 * @param {string} publicSocket
 * @returns {Promise<boolean>} false if another supervisor answers there
 */
async function publish(ownSocket, publicSocket) {
  for (let attempt = 0; attempt < MAX_PUBLISH_ATTEMPTS; attempt++) {
    try {
      await link(ownSocket, publicSocket);
      await unlink(ownSocket);
      return true;
    } catch (error) {
      if (!isErrorWithCode(error, "EEXIST")) throw error;
    }
    if (!(await clearStale(publicSocket, `${ownSocket}.stale`))) return false;
  }
  throw new Error(`${publicSocket} changes hands again and again.`);
}

/**
 * Moves it aside and checks again: if another supervisor published its own meanwhile, that one gets its name back.
 * @param {string} publicSocket
 * @param {string} aside
 * @returns {Promise<boolean>} false if it is not stale
 */
async function clearStale(publicSocket, aside) {
  try {
    const { ino } = await stat(publicSocket);
    if (await isAnswered(publicSocket)) return false;
    await rename(publicSocket, aside);
    if ((await stat(aside)).ino !== ino) await link(aside, publicSocket);
    await unlink(aside);
  } catch (error) {
    // Another process removed it (ENOENT), or a third one took the name (EEXIST): check again.
    if (!isErrorWithCode(error, "ENOENT") && !isErrorWithCode(error, "EEXIST")) throw error;
  }
  return true;
}

/** @param {string} path */
function isAnswered(path) {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    const answer = (/** @type {boolean} */ value) => () => {
      probe.destroy();
      resolve(value);
    };
    probe.once("connect", answer(true)).once("error", answer(false));
  });
}
