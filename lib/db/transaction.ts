import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Pool, PoolClient, QueryResult } from "pg";
import { hasCode } from "@/lib/platform/error-code";

/** Runs a query: a pool for single statements, a client inside a transaction. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, "query">;

interface TransactionOptions {
  /** `repeatable read`: every statement sees the same snapshot, for reports and backups. */
  isolation?: "read committed" | "repeatable read";
  readOnly?: boolean;
}

/**
 * Runs `fn` in one transaction: commits when it returns, rolls back when it throws (and passes the error on).
 *
 * After a deadlock or a serialization failure `fn` restarts (`retryConflict`), so it must have no effect outside the
 * database.
 */
export function inTransaction<T>(
  pool: Pick<pg.Pool, "connect">,
  fn: (client: pg.PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return retryConflict(() => attemptTransaction(pool, fn, options));
}

async function attemptTransaction<T>(
  pool: Pick<pg.Pool, "connect">,
  fn: (client: pg.PoolClient) => Promise<T>,
  { isolation = "read committed", readOnly = false }: TransactionOptions,
): Promise<T> {
  const client = await pool.connect();
  let isReusable = false;
  try {
    await client.query(`begin isolation level ${isolation} ${readOnly ? "read only" : "read write"}`);
    try {
      const result = await fn(client);
      const { command } = await client.query("commit");
      // PostgreSQL answers the commit of a failed transaction with a rollback and no error: `fn` caught one.
      if (command !== "COMMIT")
        throw new Error("The transaction was rolled back: an error inside it was swallowed.");
      isReusable = true;
      return result;
    } catch (error) {
      isReusable = await rollBack(client);
      throw error;
    }
  } finally {
    // A connection in an unknown state is closed, or the next request would run in this one's transaction.
    client.release(!isReusable);
  }
}

/** False: the connection is broken (the server rolls back when it closes). */
async function rollBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}

const MAX_ATTEMPTS = 3;
const RETRY_MS = 10;
const DEADLOCK = "40P01";
const SERIALIZATION_FAILURE = "40001";

/**
 * Retries a deadlock (40P01) or a serialization failure (40001) at most twice: PostgreSQL undid everything, so `work`
 * restarts. It must be a whole transaction without effects outside the database (no call, no change of outer
 * variables). No other error is retried: after a lost connection the commit may have happened.
 */
export async function retryConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !hasCode(error, DEADLOCK, SERIALIZATION_FAILURE)) throw error;
      // The rollback frees the row that the other one waits for: restarting before that one wakes would take it again.
      // Jitter: the two that collided must not meet again.
      await pause(RETRY_MS * attempt * (0.5 + Math.random() / 2));
    }
  }
}

const SAVEPOINT = "joined_transaction";

/**
 * A pool whose only connection is an open transaction. Commands that take a pool then take part in it: what they commit
 * becomes a savepoint, kept or lost with the whole. Run them one after the other, since concurrent commands would mix
 * their savepoints.
 *
 * For setting something up that must exist completely or not at all. Not for requests: what a command returns is not
 * durable yet.
 */
export function joinTransaction(pool: Pool, client: PoolClient): Pool {
  const joined = replace(client, {
    query: (...args: unknown[]) => queryJoined(client, args),
    // The transaction's owner releases it.
    release: () => undefined,
  });
  return replace(pool, { query: client.query.bind(client), connect: async () => joined });
}

/** Only `inTransaction`'s own statements are translated; all others pass unchanged. */
async function queryJoined(client: PoolClient, args: unknown[]): Promise<unknown> {
  const [statement] = args;
  if (typeof statement !== "string") return Reflect.apply(client.query, client, args);
  if (statement.startsWith("begin ")) return client.query(`savepoint ${SAVEPOINT}`);
  if (statement === "rollback") return client.query(`rollback to savepoint ${SAVEPOINT}`);
  if (statement !== "commit") return Reflect.apply(client.query, client, args);
  const released: QueryResult = await client.query(`release savepoint ${SAVEPOINT}`);
  return { ...released, command: "COMMIT" };
}

function replace<T extends object>(original: T, replaced: Partial<Record<keyof T, unknown>>): T {
  const properties = new Map<string | symbol, unknown>(Object.entries(replaced));
  return new Proxy(original, {
    get: (target, name) => (properties.has(name) ? properties.get(name) : Reflect.get(target, name)),
  });
}
