import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chown, mkdtemp, open, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { copyCluster } from "@/lib/db/archive/copy-cluster";
import { createCluster, SUPERUSER } from "@/lib/db/embedded";
import { findPackage, prepareBinaries } from "@/lib/db/embedded-binaries";
import { type Place, preparePlace, WORKING_FOLDER } from "@/lib/db/embedded-place";
import { findFreePort } from "@/lib/testing/product-process";
import { waitUntil } from "@/lib/testing/wait-until";
import { startTcpProxy, type TcpProxy } from "@/proof/torture/chaos/tcp-proxy";

/** A PostgreSQL over TCP, as an operator runs it, behind a proxy that can cut it off. */
export interface Server {
  /** Of the proxy. */
  port: number;
  proxy: TcpProxy;
  /** As a superuser, past the proxy. */
  ask<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  /** `kill -9` of the postmaster. */
  kill(): void;
  /** Stops every process of the server where it is, and lets them go on. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  end(): Promise<void>;
}

/** A primary and its synchronous standby: a commit returns once both have it. */
export interface ServerPair {
  primary: Server;
  standby: Server;
  /** DATABASE_URL with both, as the owner of a database with the rights that docs/operating.md asks for. */
  databaseUrl: string;
  /** @returns when the standby takes writes */
  promote(): Promise<void>;
  close(): Promise<void>;
}

const STANDBY = "standby";

/** Starts both from the embedded binaries; the standby begins with a copy of the running primary. */
export async function startServerPair({ isSynchronous = true } = {}): Promise<ServerPair> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-pair-"));
  const servers: Server[] = [];
  const close = async () => {
    for (const server of servers) await server.end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const primaryPlace = await preparePlace(join(folder, "primary"));
    const binaries = await prepareBinaries(findPackage(), primaryPlace);
    await createCluster(primaryPlace, binaries, false);
    const rules = [
      `host replication ${SUPERUSER} 127.0.0.1/32 trust`,
      `host all ${SUPERUSER} 127.0.0.1/32 trust`,
      "host all all 127.0.0.1/32 scram-sha-256",
    ];
    await writeFile(join(primaryPlace.dataPath, "pg_hba.conf"), `${rules.join("\n")}\n`);
    const primary = await startServer(primaryPlace, binaries.postgres);
    servers.push(primary);
    await primary.ask("create role sluice login createrole password 'owner-password'");
    await primary.ask("create database sluice owner sluice");

    const standbyPlace = await preparePlace(join(folder, STANDBY));
    await makeStandby(primary, primaryPlace, standbyPlace);
    const standby = await startServer(standbyPlace, binaries.postgres);
    servers.push(standby);
    if (isSynchronous) {
      await primary.ask(`alter system set synchronous_standby_names = '${STANDBY}'`);
      await primary.ask("select pg_reload_conf()");
    }
    await waitUntil("the standby streams", async () => {
      const rows = await primary.ask<{ state: string }>(
        "select sync_state as state from pg_stat_replication",
      );
      return rows[0]?.state === (isSynchronous ? "sync" : "async");
    });
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join();
    return {
      primary,
      standby,
      databaseUrl: `postgres://sluice:owner-password@${hosts}/sluice?target_session_attrs=read-write`,
      promote: async () => void (await standby.ask("select pg_promote()")),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** By the copy that `npm run restore -- --to` begins with, too. */
async function makeStandby(primary: Server, from: Place, to: Place): Promise<void> {
  const superuser = new pg.Client({
    host: "127.0.0.1",
    port: primary.port,
    user: SUPERUSER,
    database: "postgres",
  });
  await superuser.connect();
  try {
    await copyCluster(superuser, from.dataPath, to.dataPath);
  } finally {
    await superuser.end();
  }
  await writeFile(join(to.dataPath, "standby.signal"), "");
  const source = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} application_name=${STANDBY}`;
  await appendFile(join(to.dataPath, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  if (to.user) await own(to.dataPath, to.user);
}

async function own(path: string, user: { uid: number; gid: number }): Promise<void> {
  await chown(path, user.uid, user.gid);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true }))
    await chown(join(entry.parentPath, entry.name), user.uid, user.gid);
}

async function startServer(place: Place, postgres: string): Promise<Server> {
  const port = await findFreePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "fsync=off",
    "wal_keep_size=512MB",
  ];
  const log = await open(join(place.homePath, "server.log"), "w");
  const child: ChildProcess = spawn(
    postgres,
    ["-D", place.isReachable ? place.dataPath : WORKING_FOLDER, ...settings.flatMap((one) => ["-c", one])],
    {
      cwd: place.dataPath,
      env: { LC_ALL: "C", NODE_ENV: "test" },
      stdio: ["ignore", log.fd, log.fd],
      ...(place.user ?? {}),
    },
  );
  await log.close();
  const proxy = await startTcpProxy(() => ({ host: "127.0.0.1", port }));
  const pid = child.pid ?? 0;
  let frozen: number[] = [];
  const ask = async <Row extends pg.QueryResultRow>(sql: string) => {
    const client = new pg.Client({
      host: "127.0.0.1",
      port,
      user: SUPERUSER,
      database: "postgres",
      ssl: false,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const thaw = async () => {
    for (const one of frozen) signal(one, "SIGCONT");
    frozen = [];
  };
  const server: Server = {
    port: proxy.port,
    proxy,
    ask,
    kill: () => signal(pid, "SIGKILL"),
    async freeze() {
      // The postmaster first: it starts no more.
      signal(pid, "SIGSTOP");
      frozen = [pid, ...(await childrenOf(pid))];
      for (const one of frozen) signal(one, "SIGSTOP");
    },
    thaw,
    async end() {
      await thaw();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGQUIT");
        await once(child, "exit");
      }
      await proxy.close();
    },
  };
  await waitUntil("PostgreSQL answers over TCP", () =>
    ask("select").then(
      () => true,
      () => false,
    ),
  );
  return server;
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]);
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child = 0]) => child);
}

/** It may have ended before. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Nothing is left to signal.
  }
}
