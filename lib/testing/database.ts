import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { restrictDatabase } from "@/lib/platform/db/application-role";
import {
  EMBEDDED_APPLICATION_ROLE,
  EMBEDDED_OWNER_ROLE,
  embeddedConnection,
  withSuperuser,
} from "@/lib/platform/db/embedded-engine";
import { createPool } from "@/lib/platform/db/pool";
import type { TestServer } from "./global-setup";

export interface TestDatabase {
  /** As in production: the application's role, which may only what the migrations grant. */
  pool: pg.Pool;
  /** As the migrations run: to look at, or to arrange, what the application may not touch. */
  ownerPool: pg.Pool;
  databaseName: string;
  close(): Promise<void>;
}

/** Many test files share the server's 100 connections. */
const MAX_CONNECTIONS = 12;
const MAX_OWNER_CONNECTIONS = 4;

/** A migrated database of its own for a test file, copied from the template of the test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject("testServer");
  const databaseName = `test_${randomUUID().replaceAll("-", "")}`;
  await withSuperuser(server, (superuser) =>
    superuser.query(
      `create database ${databaseName} template ${server.templateName} owner ${EMBEDDED_OWNER_ROLE}`,
    ),
  );
  await restrictCopy(server, databaseName);
  const pool = createPool(embeddedConnection(server, EMBEDDED_APPLICATION_ROLE, databaseName), {
    max: MAX_CONNECTIONS,
  });
  const ownerPool = createPool(embeddedConnection(server, EMBEDDED_OWNER_ROLE, databaseName), {
    max: MAX_OWNER_CONNECTIONS,
  });
  return {
    pool,
    ownerPool,
    databaseName,
    async close() {
      await Promise.all([pool.end(), ownerPool.end()]);
      await withSuperuser(server, (superuser) =>
        superuser.query(`drop database ${databaseName} with (force)`),
      );
    },
  };
}

async function restrictCopy(server: TestServer, databaseName: string): Promise<void> {
  const owner = new pg.Client(embeddedConnection(server, EMBEDDED_OWNER_ROLE, databaseName));
  await owner.connect();
  try {
    await restrictDatabase(owner, EMBEDDED_APPLICATION_ROLE);
  } finally {
    await owner.end();
  }
}
