import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { constants } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { MEMORY_TO_BUILD_BYTES, readFreeMemory } from "./free-memory.mjs";

/** The project's root. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Each version is built into its own folder: a start never changes files that an older process still reads. */
const builds = join(root, ".build");
const lock = join(builds, "lock");
/** The folder of the product started or built last, for tests that read it from outside. */
const CURRENT = join(builds, "current");
/** Releases only, which have no sources: the folder they were built into (scripts/release.mjs). */
const RELEASE = join(builds, "release");
/** The sources of a build; changes elsewhere need none. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "proof/emulators",
  "public",
  "scripts",
  "instrumentation.ts",
  "server.ts",
  "open-product.ts",
  "next.config.mjs",
  "postcss.config.mjs",
  "tsconfig.json",
  "package-lock.json",
];
/** In a build's folder: which parts are complete. */
const WHOLE = "whole";
const SERVER = "server";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const FOLDER_NAME = /^[0-9a-f]{16}$/;
/** A start that has found its build may not have registered its use yet. */
const UNUSED_FOR_MS = 60_000;
const BUILD_TIMEOUT_MS = 15 * 60_000;
const WAIT_FOR_OTHER_MS = BUILD_TIMEOUT_MS + 60_000;
const COMPRESSED_AT_ONCE = 8;

/**
 * Builds server and dashboard unless these sources are already built, and sets `SLUICE_BUILD_FOLDER` to the result.
 * Concurrent starts from one checkout build once: the others wait. Unused builds are removed.
 * @param {(line: string) => void} say progress, so that no minute is silent
 * @param {{ hasPages?: boolean }} options false: only the server, for a process without the web role
 * @returns {Promise<string>} absolute path of the folder with `server.mjs` and the commands
 * @throws {Error} when memory is too low for the dashboard, or the build fails
 */
export async function buildIfNeeded(say, { hasPages = true } = {}) {
  const wanted = { folder: await folderOfSources(), hasPages };
  process.env.SLUICE_BUILD_FOLDER = relative(root, wanted.folder);
  if (existsSync(RELEASE)) return wanted.folder;
  await markAsUsed(wanted.folder);
  if (!isBuilt(wanted)) {
    if (await takeLock()) await buildUnderLock(wanted, say);
    else await waitForOther(wanted, say);
  }
  if (hasPages) await writeIfAllowed(CURRENT, basename(wanted.folder));
  return wanted.folder;
}

async function buildUnderLock({ folder, hasPages }, say) {
  try {
    if (hasPages) await buildAll(folder, say);
    else await buildServer(folder);
    await writeFile(join(folder, hasPages ? WHOLE : SERVER), "");
    await removeUnused(folder);
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/** The launcher's bundle and the commands, recompiled at each start in development. */
export async function buildForDevelopment() {
  const folder = join(builds, "development");
  // In development, Next keeps its output in its own folder.
  delete process.env.SLUICE_BUILD_FOLDER;
  await buildServer(folder);
  return folder;
}

/** Takes seconds, unlike the dashboard. Complete output stays unchanged: a process may be reading it. */
async function buildServer(folder) {
  if (existsSync(join(folder, SERVER))) return;
  await bundle(
    {
      server: "server.ts",
      ...Object.fromEntries((await scriptNames()).map((name) => [name, `scripts/${name}.ts`])),
    },
    folder,
  );
}

/**
 * Bundles programs for Node.
 * @param {Record<string, string>} entryPoints sources by output name
 * @param {string} [outdir] `.build` for programs that only run in the checkout
 */
export async function bundle(entryPoints, outdir = builds) {
  // Imported here because a release starts without it.
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    // `server-only` throws outside a React server bundle by design; this is the server.
    alias: { "server-only": "./node_modules/server-only/empty.js" },
    sourcemap: true,
    logLevel: "warning",
  });
}

async function scriptNames() {
  const files = await readdir(join(root, "scripts"));
  return files.filter((file) => file.endsWith(".ts")).map((file) => file.slice(0, -3));
}

async function buildAll(folder, say) {
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  await assertMemoryToBuild();
  say("Building Sluice, once for this version.");
  await buildServer(folder);
  say(`  ${seconds()}  server built`);
  const ticker = setInterval(() => say(`  ${seconds()}  building the dashboard`), 5_000);
  try {
    await buildDashboard();
    await compressStaticFiles(join(folder, "next", "static"));
  } finally {
    clearInterval(ticker);
  }
  say(`  ${seconds()}  dashboard built`);
}

/** Without enough memory, Next's compiler neither ends nor fails. */
async function assertMemoryToBuild() {
  const freeBytes = await readFreeMemory();
  if (freeBytes === null || freeBytes >= MEMORY_TO_BUILD_BYTES) return;
  const megabytes = (bytes) => `${Math.floor(bytes / 1e6)} MB`;
  throw new Error(
    `Building Sluice takes ${megabytes(MEMORY_TO_BUILD_BYTES)} of free memory, but only ${megabytes(freeBytes)} are free here ` +
      '(the limit of a container or service counts). Free some, or start a release, which is built already (README, "A release").',
  );
}

/** Buffers its output and shows it only on failure. Ends with this process, whatever ends that. */
async function buildDashboard() {
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  const child = spawn(process.execPath, [next, "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    // In its own process group, so that its workers can be ended with it.
    detached: true,
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
  const end = () => {
    // ESRCH: it has ended.
    if (child.pid && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, "SIGKILL");
  };
  const onSignal = (signal) => {
    end();
    rmSync(lock, { recursive: true, force: true });
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    end();
  }, BUILD_TIMEOUT_MS);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    if (isTooLate)
      throw new Error(
        `The dashboard was not built within ${BUILD_TIMEOUT_MS / 60_000} minutes: is the machine short of memory?`,
      );
    if (code !== 0) throw new Error(`The dashboard could not be built:\n${Buffer.concat(printed)}`);
  } finally {
    clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

/**
 * Compressed once at the best level, beside each file: lib/api/launcher/static-files.ts sends what the client
 * accepts.
 */
async function compressStaticFiles(folder) {
  const files = (await filesOf(folder)).filter((file) => /\.(css|js|json|svg)$/.test(file));
  for (let first = 0; first < files.length; first += COMPRESSED_AT_ONCE) {
    await Promise.all(files.slice(first, first + COMPRESSED_AT_ONCE).map(compressBeside));
  }
}

async function compressBeside(file) {
  const content = await readFile(file);
  // Brotli's default is its best level.
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}

function isBuilt({ folder, hasPages }) {
  return existsSync(join(folder, WHOLE)) || (!hasPages && existsSync(join(folder, SERVER)));
}

async function folderOfSources() {
  const name = existsSync(RELEASE)
    ? await readFile(RELEASE, "utf8")
    : (await fingerprintSources()).slice(0, 16);
  return join(builds, name.trim());
}

/** A file named after this process, while it runs. */
async function markAsUsed(folder) {
  const mark = join(folder, "users", String(process.pid));
  if (existsSync(mark)) return;
  if (await writeIfAllowed(mark, "")) process.once("exit", () => rmSync(mark, { force: true }));
}

/** An image is built by root and started by a user without write access, so nothing is removed there either. */
async function writeIfAllowed(path, content) {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return true;
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes(error.code)) return false;
    throw error;
  }
}

/** Builds of older versions that no process runs from any more. */
async function removeUnused(current) {
  for (const name of await readdir(builds)) {
    const folder = join(builds, name);
    if (!FOLDER_NAME.test(name) || folder === current || (await isUsed(folder))) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

async function isUsed(folder) {
  const users = join(folder, "users");
  try {
    if (Date.now() - (await stat(users)).mtimeMs < UNUSED_FOR_MS) return true;
    return (await readdir(users)).some((pid) => isAlive(Number(pid)));
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return error.code === "EPERM";
  }
}

async function fingerprintSources() {
  const hash = createHash("sha256").update(process.version);
  for (const source of SOURCES) {
    for (const file of await filesOf(join(root, source))) {
      hash.update(`${relative(root, file)}\0`).update(await readFile(file));
    }
  }
  return hash.digest("hex");
}

async function filesOf(path) {
  try {
    const entries = await readdir(path, { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if (error.code === "ENOTDIR") return [path];
    throw error;
  }
}

/** One process makes a folder; the pid in it distinguishes a crashed builder from a busy one. */
async function takeLock() {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await mkdir(lock);
      await writeFile(join(lock, "pid"), String(process.pid));
      return true;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      if (await isHeld()) return false;
      await rm(lock, { recursive: true, force: true });
    }
  }
  return false;
}

async function isHeld() {
  try {
    const pid = Number(await readFile(join(lock, "pid"), "utf8"));
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // ENOENT: just created, its pid comes next. ESRCH: its builder is gone.
    return error.code !== "ESRCH";
  }
}

async function waitForOther(wanted, say) {
  say("Another start is building Sluice; waiting for it.");
  const deadline = performance.now() + WAIT_FOR_OTHER_MS;
  while (performance.now() < deadline) {
    await pause(500);
    if (existsSync(lock) && (await isHeld())) continue;
    if (isBuilt(wanted)) return;
    await buildIfNeeded(say, wanted);
    return;
  }
  throw new Error(`The other build has not ended. Remove ${lock} if no build runs.`);
}
