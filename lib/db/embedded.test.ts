/**
 * Supervision of the embedded PostgreSQL (docs/embedded-postgres.md) with real processes: programs that use the
 * database are killed in every way, and the result is observed from outside.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { SUPERUSER } from "@/lib/db/embedded";
import {
  buildEmbeddedProgram,
  type EmbeddedProcess,
  runEmbeddedProgram,
} from "@/lib/testing/embedded-process";
import {
  isRunning,
  postmasterFile,
  readParentPid,
  readPostmasterPid,
  readUserId,
} from "@/lib/testing/product-process";
import { waitUntil } from "@/lib/testing/wait-until";
import { type EmbeddedServer, startEmbedded } from "./embedded";
import { embeddedConnection } from "./embedded-engine";
import { MAX_SOCKET_PATH_BYTES } from "./embedded-place";

let program: Awaited<ReturnType<typeof buildEmbeddedProgram>>;
let dataDirectory: string;
/** Everything a test started, so that a failed one leaves nothing running. */
let processes: EmbeddedProcess[];
let servers: EmbeddedServer[];

beforeAll(async () => {
  program = await buildEmbeddedProgram();
});
afterAll(() => program.remove());

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "sluice-embedded-"));
  processes = [];
  servers = [];
});
afterEach(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  for (const server of servers) await server.leave();
  await waitUntil("the server of the test ends", () => !existsSync(postmasterFile(dataDirectory)));
  await rm(dataDirectory, { recursive: true, force: true });
});

async function startHere(directory = dataDirectory): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDirectory: directory, fsync: false, graceMs: 300 });
  servers.push(server);
  return server;
}

function launchProcess(env = {}): EmbeddedProcess {
  const launched = runEmbeddedProgram(program.path, dataDirectory, env);
  processes.push(launched);
  return launched;
}

async function startProcess(env = {}): Promise<EmbeddedProcess> {
  const started = launchProcess(env);
  await started.opened;
  return started;
}

async function query(
  server: { host: string; port: number },
  sql: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(embeddedConnection(server, SUPERUSER, "postgres"));
  client.on("error", () => client.end());
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function expectEnd(pid: number): Promise<void> {
  return waitUntil(`process ${pid} ends`, async () => !(await isRunning(pid)));
}

test("a first start makes a cluster that only its own account can reach, over a socket and no port", async () => {
  const server = await startHere();
  const pid = await readPostmasterPid(dataDirectory);
  expect(await readUserId(pid)).not.toBe(0);
  expect((await stat(server.host)).mode & 0o777).toBe(0o700);
  expect((await stat(join(dataDirectory, "postgres/data"))).mode & 0o777).toBe(0o700);
  expect(await query(server, "select current_setting('listen_addresses') as addresses")).toEqual([
    { addresses: "" },
  ]);
  expect(await query(server, "select version() ~ '^PostgreSQL 18' as is18")).toEqual([{ is18: true }]);
});

test("outside tests every commit reaches the disk, and the log holds no statements", async () => {
  servers.push(await startEmbedded({ dataDirectory }));
  const [server] = servers;
  if (!server) throw new Error("unreachable");
  const settings = await query(
    server,
    `select name, setting from pg_settings
      where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums',
                     'log_min_error_statement', 'log_error_verbosity', 'logging_collector')`,
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    data_checksums: "on",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    logging_collector: "on",
  });
});

test("nothing of the program's environment reaches the server or its supervisor", async () => {
  await startProcess({ SLUICE_SECRET: "a-secret-that-must-not-travel-along" });
  const postmaster = await readPostmasterPid(dataDirectory);
  for (const pid of [postmaster, await readParentPid(postmaster)]) {
    const environment = await readFile(`/proc/${pid}/environ`, "utf8");
    expect(environment).toContain("LC_ALL=C");
    expect(environment).not.toContain("SLUICE_SECRET");
  }
});

test("a second process joins the running server, and neither its leaving nor its killing stops it", async () => {
  const server = await startHere();
  const pid = await readPostmasterPid(dataDirectory);
  const [leaving, killed] = await Promise.all([startProcess(), startProcess()]);
  await leaving.leave();
  await killed.kill();
  expect(await readPostmasterPid(dataDirectory)).toBe(pid);
  expect(await query(server, "select 1 as answer")).toEqual([{ answer: 1 }]);
});

test("the last process to leave waits until the server has shut down", async () => {
  const shares = [await startHere(), await startHere(), await startHere()];
  const pid = await readPostmasterPid(dataDirectory);
  await Promise.all(shares.map((share) => share.leave()));
  expect(await isRunning(pid)).toBe(false);
  expect(existsSync(postmasterFile(dataDirectory))).toBe(false);
});

test("kill -9 of every process that uses the server ends the server and its supervisor", async () => {
  const users = await Promise.all([startProcess(), startProcess()]);
  const postmaster = await readPostmasterPid(dataDirectory);
  const supervisor = await readParentPid(postmaster);
  await Promise.all(users.map((user) => user.kill()));
  await expectEnd(postmaster);
  await expectEnd(supervisor);
});

test("after kill -9 of program, supervisor and server the next start recovers what was committed", async () => {
  const user = await startProcess();
  const server = await startHere();
  await query(server, "create table kept as select 42 as value");
  const postmaster = await readPostmasterPid(dataDirectory);
  const supervisor = await readParentPid(postmaster);
  for (const pid of [supervisor, postmaster]) process.kill(pid, "SIGKILL");
  await user.kill();
  await waitUntil("this process has joined a server again", async () => {
    const pid = await readPostmasterPid(dataDirectory).catch(() => postmaster);
    return (
      pid !== postmaster &&
      (await query(server, "select").then(
        () => true,
        () => false,
      ))
    );
  });
  expect(await query(server, "select value from kept")).toEqual([{ value: 42 }]);
});

test("a server that was killed comes back for the programs that use it", async () => {
  const server = await startHere();
  const postmaster = await readPostmasterPid(dataDirectory);
  process.kill(postmaster, "SIGKILL");
  await waitUntil("another server answers", async () => {
    const pid = await readPostmasterPid(dataDirectory).catch(() => postmaster);
    return (
      pid !== postmaster &&
      (await query(server, "select").then(
        () => true,
        () => false,
      ))
    );
  });
});

test("a program whose server cannot restart keeps trying, and recovers its database once it can", async () => {
  let failures = 0;
  const log = { debug() {}, info() {}, warn() {}, error: () => void failures++ };
  const server = await startEmbedded({ dataDirectory, fsync: false, graceMs: 300, log });
  servers.push(server);
  const control = join(dataDirectory, "postgres/data/global/pg_control");
  const postmaster = await readPostmasterPid(dataDirectory);
  const supervisor = await readParentPid(postmaster);
  await rename(control, `${control}.away`);
  for (const pid of [supervisor, postmaster]) process.kill(pid, "SIGKILL");
  await waitUntil("it has failed twice", () => failures >= 2);
  await rename(`${control}.away`, control);
  await waitUntil("a server answers", () =>
    query(server, "select").then(
      () => true,
      () => false,
    ),
  );
});

test("when the supervisor is killed the server runs on, and a new supervisor takes it over", async () => {
  const user = await startProcess();
  const postmaster = await readPostmasterPid(dataDirectory);
  const supervisor = await readParentPid(postmaster);
  process.kill(supervisor, "SIGKILL");
  await expectEnd(supervisor);
  const second = await startProcess();
  expect(await readPostmasterPid(dataDirectory)).toBe(postmaster);
  await second.kill();
  expect(await isRunning(postmaster)).toBe(true);
  await user.kill();
  await expectEnd(postmaster);
});

test("an orphan server is adopted by the next start, and ends with it", async () => {
  const user = await startProcess();
  const postmaster = await readPostmasterPid(dataDirectory);
  const supervisor = await readParentPid(postmaster);
  // The program first: it would restart the supervisor at once.
  process.kill(user.pid, "SIGSTOP");
  process.kill(supervisor, "SIGKILL");
  await user.kill();
  await expectEnd(supervisor);
  expect(await isRunning(postmaster)).toBe(true);
  const server = await startHere();
  expect(await readPostmasterPid(dataDirectory)).toBe(postmaster);
  await server.leave();
  expect(await isRunning(postmaster)).toBe(false);
});

test("a lock file whose process id lives on as another program neither stops the start nor hurts that program", async () => {
  const user = await startProcess();
  const postmaster = await readPostmasterPid(dataDirectory);
  const owner = await stat(postmasterFile(dataDirectory));
  process.kill(user.pid, "SIGSTOP");
  for (const pid of [await readParentPid(postmaster), postmaster]) process.kill(pid, "SIGKILL");
  await user.kill();
  await expectEnd(postmaster);
  // Run as the server's account: for another account PostgreSQL itself sees that it cannot be this folder's server.
  const stranger = spawn(
    "sleep",
    ["60"],
    process.geteuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {},
  );
  try {
    for (const path of [
      postmasterFile(dataDirectory),
      join(dataDirectory, "postgres/run/.s.PGSQL.5432.lock"),
    ]) {
      const content = await readFile(path, "utf8");
      await writeFile(path, content.replace(String(postmaster), String(stranger.pid)));
    }
    const server = await startHere();
    expect(await query(server, "select 1 as answer")).toEqual([{ answer: 1 }]);
    expect(stranger.exitCode).toBeNull();
    expect(stranger.signalCode).toBeNull();
  } finally {
    stranger.kill("SIGKILL");
  }
});

test("concurrent first starts end in one cluster and one server", async () => {
  const starts = await Promise.all([startProcess(), startProcess(), startProcess()]);
  const postmaster = await readPostmasterPid(dataDirectory);
  expect(
    (await readdir(join(dataDirectory, "postgres"))).filter((name) => name.startsWith("half-made-")),
  ).toEqual([]);
  const [first, ...others] = starts;
  for (const other of others) await other.kill();
  expect(await isRunning(postmaster)).toBe(true);
  await first?.leave();
  expect(await isRunning(postmaster)).toBe(false);
});

test("a first start killed while creating the cluster leaves nothing partial", async () => {
  const home = join(dataDirectory, "postgres");
  const interrupted = launchProcess();
  const failed = interrupted.opened.catch(() => "failed");
  await waitUntil("initdb is at work", async () => {
    const names = await readdir(home).catch(() => []);
    return names.some((name) => name.startsWith("half-made-") && existsSync(join(home, name, "PG_VERSION")));
  });
  await interrupted.kill();
  expect(await failed).toBe("failed");
  expect(existsSync(join(home, "data"))).toBe(false);
  const server = await startHere();
  expect(await query(server, "select 1 as answer")).toEqual([{ answer: 1 }]);
  expect((await readdir(home)).filter((name) => name.startsWith("half-made-"))).toEqual([]);
});

test("a data folder with a path too long for sockets uses a private short one, the same for every process", async () => {
  await chmod(dataDirectory, 0o711);
  const longDirectory = join(dataDirectory, "a folder, with a comma".repeat(4), "x".repeat(60));
  await mkdir(longDirectory, { recursive: true });
  const [first, second] = await Promise.all([startHere(longDirectory), startHere(longDirectory)]);
  expect(first.host).toBe(second.host);
  expect(Buffer.byteLength(first.host)).toBeLessThan(MAX_SOCKET_PATH_BYTES);
  expect(await readlink(join(longDirectory, "postgres/run"))).toBe(first.host);
  expect((await stat(first.host)).mode & 0o777).toBe(0o700);
  expect(await query(first, "select 1 as answer")).toEqual([{ answer: 1 }]);
  await first.leave();
  await second.leave();
  await rm(first.host, { recursive: true });
});

/** With its owners: PostgreSQL opens no folder of another account. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await promisify(execFile)("cp", ["-RPp", from, to]);
}

test("a copy of a data folder has a server of its own, whether its path is longer, as long or shorter", async () => {
  await chmod(dataDirectory, 0o711);
  const [first, last] = [join(dataDirectory, "a"), join(dataDirectory, "d")];
  const long = (name: string) => join(dataDirectory, "long".repeat(20), name);
  const useOnce = async (directory: string, sql: string) => {
    const server = await startHere(directory);
    await query(server, sql);
    await server.leave();
    await waitUntil("its server ends", () => !existsSync(postmasterFile(directory)));
    return server.host;
  };
  await useOnce(first, "create table kept as select 'kept' as place");
  await copyFolder(first, long("b"));
  const leading = await useOnce(long("b"), "select 1");
  expect(await readlink(leading)).toBe(join(long("b"), "postgres/run"));
  await Promise.all([rm(leading), rm(join(long("b"), "postgres/run"), { recursive: true })]);
  await useOnce(long("b"), "select 1");
  // From here on the copied folder has a link, which must not lead its copies to its server.
  await copyFolder(long("b"), long("c"));
  await copyFolder(long("b"), last);

  const places = [long("b"), long("c"), last];
  const running: EmbeddedServer[] = [];
  for (const place of places) running.push(await startHere(place));
  for (const [place, server] of running.entries()) {
    await query(server, `update kept set place = place || ' ${place}'`);
  }
  const found = await Promise.all(running.map((server) => query(server, "select place from kept")));
  expect(found).toEqual([[{ place: "kept 0" }], [{ place: "kept 1" }], [{ place: "kept 2" }]]);
  for (const server of running) await server.leave();
  for (const place of places) await waitUntil("a server ends", () => !existsSync(postmasterFile(place)));
  for (const { host } of running) await rm(host, { recursive: true, force: true });
});

test("a data folder that only this account can reach works, even if the server runs as another one", async () => {
  const privateDirectory = join(dataDirectory, "private", "data");
  await mkdir(join(dataDirectory, "private"), { mode: 0o700 });
  const server = await startHere(privateDirectory);
  await query(server, "create table kept as select generate_series(1, 1000) as value");
  const postmaster = await readPostmasterPid(privateDirectory);
  process.kill(await readParentPid(postmaster), "SIGKILL");
  const second = await startHere(privateDirectory);
  expect(await readPostmasterPid(privateDirectory)).toBe(postmaster);
  await server.leave();
  await second.leave();
  expect(await isRunning(postmaster)).toBe(false);
  const later = await startHere(privateDirectory);
  expect(await query(later, "select count(*)::integer as kept from kept")).toEqual([{ kept: 1000 }]);
  await later.leave();
});

test("a data folder of another account is refused before anything is touched", async () => {
  const home = join(dataDirectory, "postgres");
  if (process.geteuid?.() === 0) {
    await mkdir(home);
    await chown(home, 65_534, 65_534);
  } else {
    await symlink("/", home);
  }
  await expect(startHere()).rejects.toThrow("belongs to another user");
});

test("a cluster of another major version is refused and left unchanged", async () => {
  const data = join(dataDirectory, "postgres/data");
  await (await startHere()).leave();
  await writeFile(join(data, "PG_VERSION"), "14\n");
  await expect(startHere()).rejects.toThrow("made by PostgreSQL 14 and cannot be opened by 18");
});

test("a server that cannot start reports PostgreSQL's own message", async () => {
  await (await startHere()).leave();
  await rm(join(dataDirectory, "postgres/data/global/pg_control"));
  await expect(startHere()).rejects.toThrow("could not find the database system");
});
