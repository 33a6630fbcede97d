import pg from "pg";
import type { Logger } from "pino";
import { traceQueries } from "@/lib/platform/observe/trace-queries";
import type { Tracing } from "@/lib/platform/observe/tracing";
import { retryConflict } from "./retry-conflict";
import { typeParsers } from "./type-parsers";

/** How a connection behaves that serves requests: nothing in it may wait for ever. */
const REQUEST_LIMITS = {
  /** Also the longest wait for a free connection of the pool. */
  connectionTimeoutMillis: 10_000,
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000,
} satisfies pg.ClientConfig;

/** Far below the server's 100 connections, so that several processes fit. */
const MAX_CONNECTIONS = 16;
const IDLE_MS = 30_000;

/**
 * A pool for the application: bounded in size and time, with our type parsers. Connections open when first needed.
 * A statement sent to the pool itself is a transaction of its own, and is tried again after a conflict
 * (`retryConflict`): a migration that locks several tables may meet it in a circle, and it is no fault of the caller.
 * @param connection where to and as whom
 */
export function createPool(connection: pg.ClientConfig, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    application_name: "sluice",
    keepAlive: true,
    ...REQUEST_LIMITS,
    ...connection,
    types: typeParsers,
    max: options.max ?? MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
  });
  const report = (error: Error) => {
    // A server that ends with its last program may tell a connection so before it has read that this one leaves.
    if (!pool.ending) options.log?.warn({ err: error }, "A database connection was lost.");
  };
  // Without a listener, a connection that breaks would end the process: an idle one speaks through the pool, one in
  // use for itself (its query is rejected besides). The pool replaces both.
  pool.on("error", report);
  pool.on("connect", (client) => {
    client.on("error", report);
  });
  pool.query = retriedQuery(pool.query);
  // After the above: what was tried again is told as one.
  if (options.tracing) traceQueries(pool, options.tracing);
  return pool;
}

function retriedQuery<Query extends (...parameters: never[]) => unknown>(query: Query): Query {
  return new Proxy(query, {
    apply: (target, self, parameters: unknown[]) =>
      retryConflict(async () => Reflect.apply(target, self, parameters)),
  });
}

export interface PoolOptions {
  max?: number;
  log?: Pick<Logger, "warn">;
  tracing?: Tracing;
}
