/**
 * The keeper of the embedded database: a small process of its own that lives as long as some process uses the
 * server, and takes the server with it when the last one is gone, even by `kill -9`.
 *
 * Every using process holds one connection to the keeper's socket; the kernel closes it however that process ends.
 * Plain JavaScript without dependencies, so that it runs as it is from the sources and beside the bundle.
 *
 * There is no lock between keepers, because whatever they do at once converges:
 * - the keeper is whoever owns the public socket path, which is taken by an atomic rename;
 * - a keeper that was displaced ends without touching the server, and its users join the new one;
 * - PostgreSQL's own lock admits one postmaster, and a keeper adopts the one it finds.
 */
import { readdir, rename, stat, unlink } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import { obtainPostmaster, stopPostmaster } from "./postmaster.mjs";
import { isErrorWithCode } from "./process-facts.mjs";

/** The process that launched the keeper joins within milliseconds; if it died meanwhile, nobody will. */
const FIRST_USER_MS = 10_000;
const WATCH_MS = 500;
const LOG_FILES_KEPT = 5;
const MAX_RESTARTS_PER_MINUTE = 5;
/** A user says "join\n" and "leave\n" and nothing else. */
const MAX_MESSAGE_BYTES = 64;

/** @type {import("./postmaster.mjs").ServerSpec} */
const spec = JSON.parse(process.argv[2] ?? "");
const publicSocket = join(spec.socketPath, "keeper.sock");
const ownSocket = join(spec.socketPath, `keeper-${process.pid}.sock`);

/** @type {Set<import("node:net").Socket>} */
const users = new Set();
const server = createServer(welcome);
/** @type {"starting" | "ready" | "stopping"} */
let state = "starting";
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
  if (await isAnswered(publicSocket)) {
    report("elsewhere");
    server.close(() => process.exit(0));
    return;
  }
  publishedInode = (await stat(ownSocket)).ino;
  // It listens already: nobody ever finds a public socket that does not answer because it is too new.
  await rename(ownSocket, publicSocket);
  report("published");
  waitForUsers(FIRST_USER_MS);
  await serve();
  setInterval(() => void watch().catch(fail), WATCH_MS);
}

async function serve() {
  obtaining = obtainPostmaster(spec);
  await obtaining;
  if (state === "stopping") return;
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
    if (received.includes("join\n") && !users.has(user) && state !== "stopping") {
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
  if (users.size === 1 && users.has(user)) {
    users.delete(user);
    void stop();
  } else {
    user.end();
  }
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
  await removeOldLogs();
}

async function restart() {
  const now = performance.now();
  restartedAtMs = [...restartedAtMs.filter((at) => now - at < 60_000), now];
  if (restartedAtMs.length > MAX_RESTARTS_PER_MINUTE) throw new Error("PostgreSQL ends again and again.");
  state = "starting";
  await serve();
}

async function stop() {
  if (state === "stopping") return;
  state = "stopping";
  try {
    if (await wasDisplaced()) process.exit(0);
    await unlink(publicSocket).catch(ignoreMissing);
    // A server that is still starting is let finish: it stops only then without recovery at the next start.
    const postmaster = await obtaining;
    if (postmaster) await stopPostmaster(postmaster);
    process.exit(0);
  } catch (error) {
    fail(error);
  }
}

/** True when another keeper took the public path: the server is that one's now. */
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

/**
 * Tells the process that launched us, which waits for this one word.
 * @param {"published" | "elsewhere"} word
 */
function report(word) {
  if (!process.connected || !process.send) return;
  process.send(word, () => process.disconnect?.());
}

/**
 * The server is left alone: if it runs, the next keeper adopts it.
 * @param {unknown} error
 */
function fail(error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message}\n`);
  for (const user of users) user.write(`${JSON.stringify({ state: "failed", message })}\n`);
  server.close();
  process.exitCode = 1;
  // Time for the last words; whoever does not read them is cut off.
  setTimeout(() => process.exit(1), 200);
  for (const user of users) user.end();
}

/** @param {unknown} error */
function ignoreMissing(error) {
  if (!isErrorWithCode(error, "ENOENT")) throw error;
}
