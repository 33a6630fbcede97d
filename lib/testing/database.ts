import "@/lib/testing/global-setup";
import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Pool, PoolClient } from "pg";
import { afterAll, beforeAll, inject, onTestFinished } from "vitest";
import {
  EMBEDDED_APPLICATION_ROLE,
  EMBEDDED_OWNER_ROLE,
  embeddedConnection,
  withSuperuser,
} from "@/lib/db/embedded-engine";
import { createPool } from "@/lib/db/pool";
import { restrictDatabase } from "@/lib/db/prepare-database";

export interface TestDatabase {
  /** As in production: the application's role, with only the privileges that migrations grant. */
  pool: pg.Pool;
  /** The migrations' role: to inspect or arrange what the application may not touch. */
  ownerPool: pg.Pool;
  /** For a test that needs its own connection as the owner. */
  ownerConnection: pg.ClientConfig;
  databaseName: string;
  close(): Promise<void>;
}

/** Each learns the statements that it is sent: with twelve a file, that was a tenth of the CPU of all tests. */
const MAX_CONNECTIONS = 5;
const MAX_OWNER_CONNECTIONS = 4;

/**
 * A test sends most statements once or twice, and each of the first five would be planned for its values: a tenth of the
 * CPU of all tests. Comparing the rows of every table before and after a call, planning took ten times as long as running.
 */
const GENERIC_PLANS = "-c plan_cache_mode=force_generic_plan";

interface DatabaseOptions {
  /** Of the application, at most. */
  connections?: number;
  isPlannedAsServed?: boolean;
}

/** For races; many test files share the server's 100 connections. */
export const RACING: DatabaseOptions = { connections: 12 };

/** For tests of plans and of times: statements are planned as the product's are, the first ones for their values. */
export const PLANNED_AS_SERVED: DatabaseOptions = { isPlannedAsServed: true };

/** A migrated database for one test file, copied from the template of the test run. */
export function createTestDatabase(options?: DatabaseOptions): Promise<TestDatabase> {
  return createDatabase(inject("testServer").templateName, options);
}

/**
 * The migrated database of a test file or of a `describe`: opened before its tests and dropped after them.
 * @throws Error on use before the tests begin
 */
export function useTestDatabase(options?: DatabaseOptions): Readonly<TestDatabase> {
  let opened: TestDatabase | null = null;
  beforeAll(async () => {
    opened = await createTestDatabase(options);
  });
  afterAll(() => opened?.close());
  const database = () => {
    if (opened === null)
      throw new Error("The test database opens before the tests, not while they are collected.");
    return opened;
  };
  return {
    get pool() {
      return database().pool;
    },
    get ownerPool() {
      return database().ownerPool;
    },
    get ownerConnection() {
      return database().ownerConnection;
    },
    get databaseName() {
      return database().databaseName;
    },
    close: () => database().close(),
  };
}

/** The migrated database of a single test: dropped when it ends. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

/** The same without any migration, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase("template1");
}

async function createDatabase(
  templateName: string,
  { connections = MAX_CONNECTIONS, isPlannedAsServed = false }: DatabaseOptions = {},
): Promise<TestDatabase> {
  const server = inject("testServer");
  const databaseName = `test_${randomUUID().replaceAll("-", "")}`;
  await withSuperuser(server, async (superuser) => {
    // Copies its files instead of logging page by page: a fifth of the time, some hundred times a run.
    await superuser.query(
      `create database ${databaseName} template ${templateName} strategy file_copy owner ${EMBEDDED_OWNER_ROLE}`,
    );
    await restrictDatabase(superuser, databaseName, EMBEDDED_APPLICATION_ROLE);
  });
  const ownerConnection = embeddedConnection(server, EMBEDDED_OWNER_ROLE, databaseName);
  const appConnection = embeddedConnection(server, EMBEDDED_APPLICATION_ROLE, databaseName);
  const planning = isPlannedAsServed ? {} : { options: GENERIC_PLANS };
  const pool = createPool({ ...appConnection, ...planning }, { max: connections });
  const ownerPool = createPool(
    { ...ownerConnection, options: GENERIC_PLANS },
    { max: MAX_OWNER_CONNECTIONS },
  );
  return {
    pool,
    ownerPool,
    ownerConnection,
    databaseName,
    async close() {
      await Promise.all([pool.end(), ownerPool.end()]);
      await withSuperuser(server, (superuser) =>
        superuser.query(`drop database ${databaseName} with (force)`),
      );
    },
  };
}

/**
 * A pool that records each statement sent through it, by name or text: each is a round trip.
 * @throws Error from its `connect`: a request that opens its own transaction would go uncounted
 */
export function countQueries(pool: Pool) {
  const queries: string[] = [];
  const counting = <T extends Pool | PoolClient>(target: T): T =>
    new Proxy(target, {
      get(_, property) {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== "function") return value;
        if (property === "connect") return async () => counting(await pool.connect());
        if (property !== "query") return value.bind(target);
        return (...parameters: unknown[]) => {
          queries.push(nameOf(parameters[0]));
          return Reflect.apply(value, target, parameters);
        };
      },
    });
  return { pool: counting(pool), queries };
}

function nameOf(statement: unknown): string {
  if (typeof statement === "string") return statement;
  if (typeof statement !== "object" || statement === null) return String(statement);
  if ("name" in statement && typeof statement.name === "string") return statement.name;
  return "text" in statement ? String(statement.text).trim() : "a statement without text";
}
