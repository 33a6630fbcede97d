import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { build } from "esbuild";

/** The project's root. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const output = join(root, ".build");
const lock = join(output, "lock");
/** What the product is made from; anything else may change without a build. */
const SOURCES = [
  "app",
  "components",
  "lib",
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
/** Which sources the whole was built from, and which the server without a dashboard. */
const WHOLE = "fingerprint";
const SERVER_ALONE = "server-fingerprint";
const WAIT_FOR_OTHER_MS = 15 * 60_000;
const COMPRESSED_AT_ONCE = 8;

/**
 * Builds server and dashboard unless what stands there was built from these very sources. Several starts at once from
 * one checkout build once: the others wait.
 * @param {(line: string) => void} say progress, so that no minute is silent
 * @param {{ hasPages?: boolean }} options false: the server alone, for a process without the role of the web
 */
export async function buildIfNeeded(say, { hasPages = true } = {}) {
  const wanted = { fingerprint: await fingerprintSources(), hasPages };
  if (await isBuilt(wanted)) return;
  await mkdir(output, { recursive: true });
  if (!(await takeLock())) {
    await waitForOther(wanted, say);
    return;
  }
  try {
    // What stands there then is no longer what it says.
    await rm(join(output, WHOLE), { force: true });
    if (hasPages) await buildAll(say);
    else await buildServer();
    await writeFile(join(output, hasPages ? WHOLE : SERVER_ALONE), wanted.fingerprint);
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/** The launcher's bundle and the commands; seconds less than a dashboard. */
export async function buildServer() {
  await bundle({
    server: "server.ts",
    ...Object.fromEntries((await scriptNames()).map((name) => [name, `scripts/${name}.ts`])),
  });
}

/**
 * Bundles programs for Node into `.build/`.
 * @param {Record<string, string>} entryPoints sources by the name of what they become
 */
export async function bundle(entryPoints) {
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: output,
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

async function buildAll(say) {
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  say("Building Sluice, once for this version.");
  await buildServer();
  say(`  ${seconds()}  server built`);
  const ticker = setInterval(() => say(`  ${seconds()}  building the dashboard`), 5_000);
  try {
    await buildDashboard();
    await compressStaticFiles();
  } finally {
    clearInterval(ticker);
  }
  say(`  ${seconds()}  dashboard built`);
}

/** Its output is kept back, and shown only when it fails. */
async function buildDashboard() {
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  const child = spawn(process.execPath, [next, "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`The dashboard could not be built:\n${Buffer.concat(printed)}`);
}

/** Once and thoroughly, beside each file: lib/doors/static sends what the client understands. */
async function compressStaticFiles() {
  const files = (await filesOf(join(root, ".next", "static"))).filter((file) =>
    /\.(css|js|json|svg)$/.test(file),
  );
  for (let first = 0; first < files.length; first += COMPRESSED_AT_ONCE) {
    await Promise.all(files.slice(first, first + COMPRESSED_AT_ONCE).map(compressBeside));
  }
}

async function compressBeside(file) {
  const content = await readFile(file);
  // Brotli's default is its best.
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}

async function isBuilt({ fingerprint, hasPages }) {
  if (existsSync(join(root, ".next", "BUILD_ID")) && (await isOf(WHOLE, fingerprint))) return true;
  return !hasPages && (await isOf(SERVER_ALONE, fingerprint));
}

async function isOf(file, fingerprint) {
  try {
    return (await readFile(join(output, file), "utf8")) === fingerprint;
  } catch {
    // Never built.
    return false;
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

/** A folder is made by one process only; the pid in it tells a crashed builder from a busy one. */
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
    // ENOENT: made this instant, its pid is about to be written. ESRCH: its builder is gone.
    return error.code !== "ESRCH";
  }
}

async function waitForOther(wanted, say) {
  say("Another start is building Sluice; waiting for it.");
  const deadline = performance.now() + WAIT_FOR_OTHER_MS;
  while (performance.now() < deadline) {
    await pause(500);
    if (existsSync(lock) && (await isHeld())) continue;
    if (await isBuilt(wanted)) return;
    return buildIfNeeded(say, wanted);
  }
  throw new Error(`The other build has not ended. Remove ${lock} if no build runs.`);
}
