import { totalmem } from "node:os";
import pg from "pg";
import type { Logger } from "pino";
import { clientOf, KEEP_ALIVE } from "@/lib/db/client";
import { ANSWER_TIMEOUT_MS, watchStatements } from "@/lib/db/running-statements";
import { retryConflict } from "@/lib/db/transaction";
import type { Span, Tracing } from "@/lib/platform/observe/tracing";

/** Settings of a connection that serves requests: every wait is bounded. */
const REQUEST_LIMITS = {
  /** Also the longest wait for a free connection of the pool. */
  connectionTimeoutMillis: 10_000,
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000,
} satisfies pg.ClientConfig;

/** A burst's connections end soon: the one released last is used first, so that the others stay idle. */
const IDLE_MS = 10_000;
/**
 * More connections than the cores of a machine that one process can use, and far below the server's 100. What a server
 * process knows of statements and tables only grows, to 50 MB once it knows most of some 490 statements; a new one begins
 * with little.
 */
const USUAL_BOUNDS = { max: 10, maxLifetimeSeconds: 180 };
/** So that Sluice and its own PostgreSQL together leave room in 1 GB (docs/operating.md, Capacity). */
const SMALL_MACHINE_BOUNDS = { max: 6, maxLifetimeSeconds: 90 };
const SMALL_MACHINE_BYTES = 2e9;

/**
 * A pool for the application: bounded in size and time, with our type parsers. Connections open on first use. A
 * statement sent to the pool itself is its own transaction and is retried after a conflict (`retryConflict`): a
 * migration that locks several tables may deadlock with it, and the caller cannot know.
 * @param connection where to and as whom
 */
export function createPool(connection: pg.ClientConfig, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    application_name: "sluice",
    ...KEEP_ALIVE,
    ...REQUEST_LIMITS,
    ...connection,
    Client: clientOf(connection),
    types: typeParsers,
    ...(isSmallMachine() ? SMALL_MACHINE_BOUNDS : USUAL_BOUNDS),
    ...(options.max !== undefined && { max: options.max }),
    idleTimeoutMillis: IDLE_MS,
  });
  const report = (error: Error) => {
    // A server that shuts down with its last program may close a connection before reading that the client leaves.
    if (!pool.ending) options.log?.warn({ err: error }, "A database connection was lost.");
  };
  // Without a listener, a broken connection would end the process: an idle one reports through the pool, one in use on
  // itself (its query rejects anyway). The pool replaces both.
  pool.on("error", report);
  pool.on("connect", (client) => {
    client.on("error", report);
  });
  watchStatements(pool, options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
  pool.query = retriedQuery(pool.query);
  // After the above, so that a retried statement is one span.
  if (options.tracing) traceQueries(pool, options.tracing);
  return pool;
}

/** The limit of a container or service counts. */
function isSmallMachine(): boolean {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) < SMALL_MACHINE_BYTES;
}

function retriedQuery<Query extends (...parameters: never[]) => unknown>(query: Query): Query {
  return new Proxy(query, {
    apply: (target, self, parameters: unknown[]) =>
      retryConflict(async () => Reflect.apply(target, self, parameters)),
  });
}

interface PoolOptions {
  max?: number;
  /** How long a statement may go without an answer before its connection is closed. */
  answerTimeoutMs?: number;
  log?: Pick<Logger, "warn">;
  tracing?: Tracing;
}

/** PostgreSQL types by their number in `pg_type`; `pg` names no array types. */
const INT8_ARRAY = 1016;
const DATE_ARRAY = 1182;

const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, parseBigint],
  [pg.types.builtins.TIMESTAMPTZ, parseInstant],
  [INT8_ARRAY, (text) => parseArray(text, parseBigint)],
  // A banking day has no time zone: as a `Date` in the machine's zone it could become another day.
  [pg.types.builtins.DATE, (text) => text],
  [DATE_ARRAY, (text) => parseArray(text, (item) => item)],
]);

/**
 * How columns arrive: `bigint` as a safe number, `date` as `YYYY-MM-DD`, `timestamptz` as `Date`, `numeric` as text, so
 * `sum()` over a `bigint` needs a cast to arrive as a number. Everything else as in `pg`.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(type, format) {
    return (format !== "binary" && parsers.get(type)) || pg.types.getTypeParser(type, format);
  },
};

const FURTHEST_MS = 8.64e15;

/**
 * Always a `Date`: `infinity`, and years that JavaScript has no date for, become the furthest one. A number or an invalid
 * date would fail the whole list.
 */
function parseInstant(text: string): Date {
  const parsed: unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, "text")(text);
  if (parsed instanceof Date && !Number.isNaN(parsed.getTime())) return parsed;
  return new Date(text.startsWith("-") || text.endsWith("BC") ? -FURTHEST_MS : FURTHEST_MS);
}

/** @throws RangeError beyond ±(2^53 - 1): JavaScript would round the amount */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The bigint ${text} is too large for a JavaScript number.`);
  return value;
}

/** Flat arrays of items without quotes. */
function parseArray<T>(text: string, parseItem: (item: string) => T): (T | null)[] {
  if (text === "{}") return [];
  return text
    .slice(1, -1)
    .split(",")
    .map((item) => (item === "NULL" ? null : parseItem(item)));
}

/**
 * Traces the statements of a pool under their prepared names, as children of the current span. Their text and values
 * are left out: they hold amounts and names.
 */
function traceQueries(pool: pg.Pool, tracing: Tracing): void {
  pool.query = tracedQuery(pool.query, tracing);
  // Queries of a transaction. The pool's own carry a callback and were traced above, including the wait for a
  // connection.
  pool.on("connect", (client) => {
    client.query = tracedQuery(client.query, tracing);
  });
}

function tracedQuery<Query extends (...parameters: never[]) => unknown>(
  query: Query,
  tracing: Tracing,
): Query {
  return new Proxy(query, {
    apply(target, self, parameters: unknown[]) {
      const run = () => Reflect.apply(target, self, parameters);
      if (typeof parameters.at(-1) === "function" || !tracing.isUnderWay()) return run();
      const name = nameOf(parameters[0]);
      const span = tracing.begin(`sql ${name}`, {
        kind: "CLIENT",
        attributes: { "db.system.name": "postgresql", "db.query.summary": name },
      });
      return endWith(span, run);
    },
  });
}

/** Ends the span with the result, whether a promise or something else (a stream of rows). */
function endWith(span: Span, run: () => unknown): unknown {
  const answer = run();
  if (!(answer instanceof Promise)) {
    span.end();
    return answer;
  }
  return answer.then(
    (result: unknown) => {
      span.end();
      return result;
    },
    (error: unknown) => {
      span.fail();
      span.end();
      throw error;
    },
  );
}

/** An unnamed statement goes under its first word, usually `begin` or `commit`. */
function nameOf(statement: unknown): string {
  if (typeof statement === "object" && statement !== null) {
    if ("name" in statement && typeof statement.name === "string") return statement.name;
    return "text" in statement ? nameOf(statement.text) : "statement";
  }
  return typeof statement === "string" ? firstWord(statement) : "statement";
}

function firstWord(text: string): string {
  return /^\s*([a-z]{1,20})\b/i.exec(text)?.[1]?.toLowerCase() ?? "statement";
}
