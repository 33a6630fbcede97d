import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createCluster, SUPERUSER } from "@/lib/db/embedded";
import { findPackage, prepareBinaries } from "@/lib/db/embedded-binaries";
import { preparePlace, WORKING_FOLDER } from "@/lib/db/embedded-place";
import { findFreePort } from "@/lib/testing/product-process";
import { waitUntil } from "@/lib/testing/wait-until";

/** A PostgreSQL as an operator runs it: it listens on TCP and asks for passwords. */
export interface TcpPostgres {
  /** Creates a database whose owner has the rights that docs/operating.md asks for. @returns its DATABASE_URL */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startTcpPostgres(): Promise<TcpPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-tcp-"));
  const place = await preparePlace(folder);
  const binaries = await prepareBinaries(findPackage(), place);
  await createCluster(place, binaries, false);
  const rules = "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
  await writeFile(join(place.dataPath, "pg_hba.conf"), rules);
  const port = await findFreePort();
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "fsync=off"];
  const log = await open(join(folder, "log"), "w");
  const server = spawn(
    binaries.postgres,
    [
      "-D",
      place.isReachable ? place.dataPath : WORKING_FOLDER,
      ...settings.flatMap((setting) => ["-c", setting]),
    ],
    {
      cwd: place.dataPath,
      env: { LC_ALL: "C", NODE_ENV: "test" },
      stdio: ["ignore", log.fd, log.fd],
      ...(place.user ?? {}),
    },
  );
  await log.close();
  const ended = once(server, "exit");
  const asSuperuser = async (...statements: string[]) => {
    const client = new pg.Client({
      host: "127.0.0.1",
      port,
      user: SUPERUSER,
      database: "postgres",
      ssl: false,
    });
    try {
      await client.connect();
      for (const statement of statements) await client.query(statement);
      return true;
    } catch (error) {
      if (statements.length > 0) throw error;
      return false;
    } finally {
      await client.end();
    }
  };
  await waitUntil("PostgreSQL answers over TCP", () => asSuperuser());
  return {
    async createDatabase(name) {
      await asSuperuser(
        `create role ${name} login createrole password 'owner-password'`,
        `create database ${name} owner ${name}`,
      );
      return `postgres://${name}:owner-password@127.0.0.1:${port}/${name}`;
    },
    async stop() {
      server.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
