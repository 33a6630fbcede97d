import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "@/lib/db/embedded";
import {
  createOwnedDatabase,
  EMBEDDED_APPLICATION_ROLE,
  EMBEDDED_OWNER_ROLE,
  embeddedConnection,
  withSuperuser,
} from "@/lib/db/embedded-engine";
import { isAlive } from "@/lib/db/embedded-place";
import { prepareDatabase } from "@/lib/db/prepare-database";

/** What `createTestDatabase` needs to reach the server of this test run. */
export interface TestServer {
  host: string;
  port: number;
  templateName: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

/** The server of this run, for the projects of vitest.config.ts that are set up after the first, or the server to use. */
export const RUNNING = "TEST_POSTGRES_SERVER";
const PREFIX = "sluice-test-";
const TEMPLATE = "sluice_template";

/**
 * One embedded server for the whole test run, in its own temporary folder, with the migrated template database that
 * every test file copies. DATABASE_URL is ignored: tests never touch an existing database.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env[RUNNING];
  if (running) {
    const testServer: TestServer = JSON.parse(running);
    project.provide("testServer", testServer);
    return async () => undefined;
  }
  const { testServer, stop } = await startTestServer();
  process.env[RUNNING] = JSON.stringify(testServer);
  project.provide("testServer", testServer);
  return async () => {
    delete process.env[RUNNING];
    await stop();
  };
}

/** Starts the server and prepares its template. */
export async function startTestServer(): Promise<{ testServer: TestServer; stop: () => Promise<void> }> {
  await removeAbandoned();
  const dataDirectory = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const server = await startEmbedded({ dataDirectory, fsync: false });
  const stop = async () => {
    await server.leave();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    // It would change plans in the middle of a test, and keep the vacuum of a test from marking pages as visible.
    await withSuperuser(server, async (superuser) => {
      await superuser.query("alter system set autovacuum = off");
      await superuser.query("select pg_reload_conf()");
    });
    await createOwnedDatabase(server, TEMPLATE);
    await prepareDatabase({
      owner: embeddedConnection(server, EMBEDDED_OWNER_ROLE, TEMPLATE),
      applicationRole: EMBEDDED_APPLICATION_ROLE,
      applicationPassword: null,
    });
    // PostgreSQL copies a database only while no one is connected to it.
    await withSuperuser(server, (superuser) =>
      superuser.query(`alter database ${TEMPLATE} with allow_connections false is_template true`),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { testServer: { host: server.host, port: server.port, templateName: TEMPLATE }, stop };
}

/** Folders of killed test runs; their servers ended by themselves. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (pid && !isAlive(pid)) await rm(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 });
  }
}
