import type pg from "pg";
import { retryConflict } from "./retry-conflict";

/** Whatever runs a query: a pool for single statements, a client inside a transaction. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, "query">;

export interface TransactionOptions {
  /** `repeatable read`: every statement sees the same moment, for reports and backups. */
  isolation?: "read committed" | "repeatable read";
  readOnly?: boolean;
}

/**
 * Runs `fn` in one transaction: committed when it returns, rolled back when it throws (the error is passed on).
 *
 * After a deadlock or a serialization failure `fn` starts anew (`retryConflict`). It must therefore have no effect outside
 * the database.
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
      // PostgreSQL answers the commit of a failed transaction with a rollback, and no error: `fn` caught one.
      if (command !== "COMMIT")
        throw new Error("The transaction was rolled back: an error inside it was swallowed.");
      isReusable = true;
      return result;
    } catch (error) {
      isReusable = await rollBack(client);
      throw error;
    }
  } finally {
    // A connection in an unknown state is closed, or the next request would work in this one's transaction.
    client.release(!isReusable);
  }
}

/** False: the connection is broken (the server rolls back by itself when it closes). */
async function rollBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}
