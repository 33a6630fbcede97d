/**
 * The supervisor of the embedded database: a small process of its own that lives as long as some process uses the
 * server, and takes the server with it when the last one is gone, even by `kill -9`.
 *
 * Every using process holds one connection to the supervisor's socket; the kernel closes it however that process ends.
 * Plain JavaScript without dependencies, so that it runs as it is from the sources and beside the bundle.
 *
 * - The supervisor is the process that owns the public socket path (`publish` below). One that finds itself displaced ends without
 *   touching the server, and its users join the new one.
 * - PostgreSQL's own lock admits one postmaster, and a supervisor adopts the one it finds.
 */
import { link, readdir, rename, stat, unlink } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import { obtainPostmaster, stopPostmaster } from "./postmaster.mjs";
import { isErrorWithCode } from "./process-facts.mjs";

/** The process that launched the supervisor joins within milliseconds; if it died meanwhile, nobody will. */
const FIRST_USER_MS = 10_000;
const WATCH_MS = 500;
const WATCHES_PER_LOG_CLEANUP = 120;
/** A supervisor that failed stays this long to tell why: the process that launched it may still be about to join. */
const LAST_WORDS_MS = 1_000;
const LOG_FILES_KEPT = 5;
const MAX_RESTARTS_PER_MINUTE = 5;
const MAX_PUBLISH_ATTEMPTS = 20;
/** A user says "join\n" and "leave\n" and nothing else. */
const MAX_MESSAGE_BYTES = 64;
/** Without this answer a leaving user looks for the supervisor that displaced us. */
const LEFT = `${JSON.stringify({ state: "left" })}\n`;

/** @type {import("./postmaster.mjs").ServerSpec} */
const spec = JSON.parse(process.argv[2] ?? "");
// The name of the sockets is shared with running supervisors of earlier versions: never rename it.
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

// A terminal or a service manager signals the whole group. The users drain first and then leave: that ends us.
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
 * An orderly leave: the last user waits for the shutdown (its connection ends with us), so that a container whose
 * first process it is does not take the server down in mid-checkpoint.
 * @param {import("node:net").Socket} user
 */
function dismiss(user) {
  // At once, not when its connection has closed: the next one to leave may be the last, and must know it.
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
    // A server that is still starting is let finish: it stops only then without recovery at the next start.
    const postmaster = await obtaining;
    if (postmaster) await stopPostmaster(postmaster);
    if (!lastUser || lastUser.destroyed) process.exit(0);
    lastUser.once("close", () => process.exit(0)).end(LEFT);
  } catch (error) {
    fail(error);
  }
}

/** True when another supervisor took the public path: the server is that one's now. */
async function wasDisplaced() {
  try {
    return (await stat(publicSocket)).ino !== publishedInode;
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
}

/** PostgreSQL starts a new file at `log_rotation_size`, but keeps the old ones for ever. */
async function removeOldLogs() {
  const names = (await readdir(spec.logPath)).filter((name) => name.endsWith(".log")).sort();
  for (const name of names.slice(0, -LOG_FILES_KEPT))
    await unlink(join(spec.logPath, name)).catch(ignoreMissing);
}

/**
 * Tells the process that launched us, which waits for this one word.
 * @param {"published" | "elsewhere"} word
 */
function report(word, whenTold = () => {}) {
  if (!process.connected || !process.send) return whenTold();
  process.send(word, () => {
    if (process.connected) process.disconnect?.();
    whenTold();
  });
}

/**
 * The server is left alone: if it runs, the next supervisor adopts it.
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
 * Gives a socket that listens already its public name, which only one supervisor can have: `link` fails where the name
 * exists. One that nobody answers at (its supervisor was killed) is cleared away first.
 * @param {string} ownSocket
 * @param {string} publicSocket
 * @returns {Promise<boolean>} false when another supervisor answers there.
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
 * Moved aside first, and looked at again: had another supervisor just published its own, that one gets its name back.
 * @param {string} publicSocket
 * @param {string} aside
 * @returns {Promise<boolean>} false when it is not stale.
 */
async function clearStale(publicSocket, aside) {
  try {
    const { ino } = await stat(publicSocket);
    if (await isAnswered(publicSocket)) return false;
    await rename(publicSocket, aside);
    if ((await stat(aside)).ino !== ino) await link(aside, publicSocket);
    await unlink(aside);
  } catch (error) {
    // Somebody else cleared it (ENOENT), or a third one took the name (EEXIST): look again.
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
