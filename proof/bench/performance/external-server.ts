import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { createCluster, SUPERUSER } from "@/lib/db/embedded";
import { findPackage, prepareBinaries } from "@/lib/db/embedded-binaries";
import { preparePlace, WORKING_FOLDER } from "@/lib/db/embedded-place";
import { findFreePort } from "@/lib/testing/product-process";

export interface ExternalServer {
  /** Where roles with a password connect. */
  port: number;
  /** Where the superuser does, without one; only the account that owns the folder reaches it. */
  socket: { host: string; port: number };
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;
const RETRY_MS = 100;

/**
 * A PostgreSQL that nobody embeds: the same binaries and settings as the embedded one, so that what differs is the way
 * to it, but a server of its own that listens on TCP and asks for passwords (SCRAM).
 */
export async function startExternalServer(folder: string): Promise<ExternalServer> {
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
    // From the cluster's folder: the server's account may not pass the folders above it.
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
