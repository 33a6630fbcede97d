import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { createCluster, SUPERUSER } from "@/lib/db/embedded";
import { findPackage, prepareBinaries } from "@/lib/db/embedded-binaries";
import { EMBEDDED_OWNER_ROLE } from "@/lib/db/embedded-engine";
import { preparePlace, WORKING_FOLDER } from "@/lib/db/embedded-place";
import { openExternalEngine } from "@/lib/db/external-engine";
import { prepareDatabase } from "@/lib/db/prepare-database";
import { loadSecret } from "@/lib/db/secret";
import { findFreePort } from "@/lib/testing/product-process";
import { type BenchDatabase, openEmbeddedDatabase } from "@/proof/bench/arrange";

export const ENGINES = ["embedded", "external"] as const;
export type EngineName = (typeof ENGINES)[number];

/** A database, and how processes of the product reach it. */
export interface EngineUnderTest extends BenchDatabase {
  name: EngineName;
  /** As `select version()` names it. */
  version: string;
  /** Of every process on it. */
  secret: string;
  environment: Record<string, string>;
}

/** @param folder for the database and the data folders of processes; deleted by the caller */
export async function openEngine(name: EngineName, folder: string): Promise<EngineUnderTest> {
  const opened = name === "embedded" ? await openEmbedded(folder) : await openExternal(folder);
  const { rows } = await opened.superuser.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  return { ...opened, name, version: rows[0]?.version ?? "" };
}

async function openEmbedded(folder: string): Promise<Omit<EngineUnderTest, "name" | "version">> {
  const secret = randomBytes(32).toString("hex");
  const database = await openEmbeddedDatabase(folder);
  return { ...database, secret, environment: { SLUICE_DATA_DIR: folder, SLUICE_SECRET: secret } };
}

/** A server over TCP with passwords, as an operator would provide it. */
async function openExternal(folder: string): Promise<Omit<EngineUnderTest, "name" | "version">> {
  const secret = randomBytes(32).toString("hex");
  const password = randomBytes(16).toString("hex");
  const server = await startExternalServer(join(folder, "external"));
  const superuser = new pg.Client({ ...server.socket, user: SUPERUSER, database: "postgres" });
  await superuser.connect();
  await superuser.query(`create role ${EMBEDDED_OWNER_ROLE} login createrole password '${password}'`);
  await superuser.query(`create database sluice owner ${EMBEDDED_OWNER_ROLE}`);
  await superuser.end();
  const inside = new pg.Client({ ...server.socket, user: SUPERUSER, database: "sluice" });
  await inside.connect();
  await inside.query("create extension pg_stat_statements");
  const databaseUrl = `postgres://${EMBEDDED_OWNER_ROLE}:${password}@127.0.0.1:${server.port}/sluice`;
  const config = { databaseUrl, databaseAppRole: null, secret, dataDirectory: folder };
  const engine = await openExternalEngine({ ...config, secret: await loadSecret(config) });
  await prepareDatabase(engine);
  return {
    application: engine.application,
    owner: engine.owner,
    superuser: inside,
    secret,
    environment: { SLUICE_DATA_DIR: folder, SLUICE_SECRET: secret, DATABASE_URL: databaseUrl },
    close: async () => {
      await inside.end();
      await server.stop();
    },
  };
}

interface ExternalServer {
  /** Where roles with a password connect. */
  port: number;
  /** Where the superuser connects without one; only the account that owns the folder reaches it. */
  socket: { host: string; port: number };
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const RETRY_MS = 100;

/**
 * A PostgreSQL that is not embedded: the same binaries and settings, so that only the connection differs, but its own
 * server that listens on TCP and asks for passwords (SCRAM).
 */
async function startExternalServer(folder: string): Promise<ExternalServer> {
  const place = await preparePlace(folder);
  const binaries = await prepareBinaries(findPackage(), place);
  await createCluster(place, binaries, true);
  await writeFile(
    join(place.dataPath, "pg_hba.conf"),
    "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n",
  );
  const port = await findFreePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    // From the cluster's folder: the server's account may not traverse its parent folders.
    "unix_socket_directories=../run",
    "unix_socket_permissions=0700",
    "max_connections=100",
    "shared_buffers=128MB",
    "wal_compression=on",
    "max_wal_size=1GB",
    "random_page_cost=1.1",
    "max_parallel_workers_per_gather=0",
    "jit=off",
    "timezone=UTC",
    "shared_preload_libraries=pg_stat_statements",
    "log_min_messages=warning",
  ];
  const child = spawn(
    binaries.postgres,
    ["-D", place.isReachable ? place.dataPath : WORKING_FOLDER, ...settings.flatMap((each) => ["-c", each])],
    {
      cwd: place.dataPath,
      stdio: "ignore",
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", NODE_ENV: "production" },
      ...place.user,
    },
  );
  const socket = { host: place.socketPath, port };
  await waitUntilAccepting(child, socket);
  return {
    port,
    socket,
    stop: async () => {
      const ended = once(child, "exit");
      // Fast: open connections are ended.
      child.kill("SIGINT");
      await ended;
    },
  };
}

async function waitUntilAccepting(child: ChildProcess, socket: ExternalServer["socket"]): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ ...socket, user: SUPERUSER, database: "postgres" });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (child.exitCode !== null || performance.now() > deadline) throw error;
      await pause(RETRY_MS);
    }
  }
}
