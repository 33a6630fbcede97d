import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { buildIfNeeded, root } from "./build.mjs";

/**
 * `npm run release`: everything for a machine that is too small to build, as one file in `dist/`: the built product
 * and the production packages, for this platform. `-- --check` also unpacks and starts it.
 */
const say = (line) => process.stdout.write(`${line}\n`);
/** Read at run time, in addition to the build. */
const PARTS = [
  "README.md",
  "clients",
  "deploy",
  "docs",
  "lib/core/sign-in/common-passwords.txt",
  "lib/db/supervisor",
  "lib/db/functions",
  "lib/db/migrations",
  "next.config.mjs",
  "package-lock.json",
  "package.json",
  "public",
  "scripts/build.mjs",
  "scripts/commands.json",
  "scripts/free-memory.mjs",
  "scripts/healthcheck.mjs",
  "scripts/help.mjs",
  "scripts/run.mjs",
  "scripts/start.mjs",
];
const START_TIMEOUT_MS = 300_000;
/**
 * Memory of Sluice and its PostgreSQL right after a first start with the demo; a machine of 1 GB has as much to
 * spare.
 */
const MOST_MEMORY_BYTES = 700_000_000;

const folder = await mkdtemp(join(tmpdir(), "sluice-release-"));
try {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const name = `sluice-${version}`;
  const archive = join(root, "dist", `${name}-${process.platform}-${process.arch}.tar.gz`);
  await assemble(await buildIfNeeded(say), join(folder, name));
  await mkdir(join(root, "dist"), { recursive: true });
  await promisify(execFile)("tar", ["-czf", archive, "-C", folder, name]);
  const megabytes = Math.round((await stat(archive)).size / 1e6);
  const sum = createHash("sha256")
    .update(await readFile(archive))
    .digest("hex");
  say(`${archive}\n  ${megabytes} MB, SHA-256 ${sum}`);
  if (process.argv.includes("--check")) await check(archive, name);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function assemble(built, release) {
  for (const part of PARTS) {
    await cp(join(root, part), join(release, part), {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    });
  }
  const place = join(".build", basename(built));
  await cp(built, join(release, place), {
    recursive: true,
    // Processes of this checkout that use it.
    filter: (path) => path !== join(built, "users"),
    verbatimSymlinks: true,
  });
  await writeFile(join(release, ".build", "release"), basename(built));
  say("Installing the packages of production.");
  await promisify(execFile)("npm", ["ci", "--omit=dev", "--ignore-scripts"], { cwd: release });
}

/** Unpacks it elsewhere, starts it as documented, sends requests, measures, and stops it. */
async function check(archive, name) {
  const place = await mkdtemp(join(tmpdir(), "sluice-released-"));
  await promisify(execFile)("tar", ["-xzf", archive, "-C", place]);
  const port = await freePort();
  const child = spawn("npm", ["start"], {
    cwd: join(place, name),
    env: {
      ...process.env,
      PORT: String(port),
      APP_URL: "",
      DATABASE_URL: "",
      SLUICE_DATA_DIR: join(place, "data"),
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  try {
    const printed = await waitForLine(child, "Sluice is open at");
    if (printed.includes("Building")) throw new Error("The release builds something.");
    const ready = await fetch(`http://localhost:${port}/readyz`);
    const page = await fetch(`http://localhost:${port}/sign-in`);
    if (!ready.ok || !page.ok) throw new Error(`/readyz says ${ready.status}, /sign-in ${page.status}.`);
    const bytes = await memoryOf(child.pid);
    say(`  started without a build; ${Math.round(bytes / 1e6)} MB of memory with PostgreSQL`);
    if (bytes > MOST_MEMORY_BYTES) throw new Error(`That is more than ${MOST_MEMORY_BYTES / 1e6} MB.`);
  } finally {
    child.kill("SIGTERM");
    await ended;
    await rm(place, { recursive: true, force: true, maxRetries: 5 });
  }
  if (child.exitCode !== 0) throw new Error(`It ended with ${child.exitCode ?? child.signalCode}.`);
}

async function waitForLine(child, line) {
  let printed = "";
  let timer;
  const isThere = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not start in time:\n${printed}`)), START_TIMEOUT_MS);
    child.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
      if (printed.includes(line)) resolve(printed);
    });
    child.once("close", () => reject(new Error(`It ended:\n${printed}`)));
  });
  return await isThere.finally(() => clearTimeout(timer));
}

/** Memory that belongs to one process only, plus its share of the rest: what a machine needs for all of them. */
async function memoryOf(first) {
  if (process.platform !== "linux") return 0;
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid="], { maxBuffer: 10e6 });
  const processes = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const family = [first];
  // Grows during the walk: children of children.
  for (const parent of family)
    family.push(...processes.filter(([, ppid]) => ppid === parent).map(([pid]) => pid));
  let bytes = 0;
  for (const pid of family) {
    const smaps = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    bytes += Number(/^Pss:\s+(\d+) kB$/m.exec(smaps)?.[1] ?? 0) * 1024;
  }
  return bytes;
}

async function freePort() {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
