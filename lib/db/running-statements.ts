import pg from "pg";

/**
 * The server cancels a statement of a request after 15 seconds, so a healthy one has answered by then. Without an
 * answer the connection is dead, however open it looks: a frozen primary, or a firewall that forgot it.
 */
export const ANSWER_TIMEOUT_MS = 20_000;
/** What the way there and back may add to the server's own limit. */
const BEYOND_SERVER_MS = 5_000;
const CHECK_EVERY_MS = 500;
/** How long a connection that is closed in order may take to say goodbye. */
const GOODBYE_MS = 5_000;

/** PostgreSQL did not answer in time. The statement may have taken effect, so nothing may retry it blindly. */
class UnansweredStatement extends Error {
  override readonly name = "UnansweredStatement";

  constructor(timeoutMs: number) {
    super(
      `PostgreSQL did not answer within ${timeoutMs / 1_000} seconds, so the connection was closed. ` +
        "The statement may or may not have taken effect.",
    );
  }
}

interface RunningStatement {
  client: pg.ClientBase;
  startedAt: number;
}

/** Clients in a transaction with a longer `statement_timeout`, until they are released. */
const longerLimits = new WeakMap<pg.ClientBase, number>();
const statementsOf = new WeakMap<object, RunningStatements>();

/**
 * Raises the limit on answers for the rest of this client's transaction: for what also raises `statement_timeout`, such
 * as the export of many years.
 * @param statementTimeoutMs the server's limit; unset for none
 */
export function allowLongStatements(
  client: pg.ClientBase,
  statementTimeoutMs = Number.POSITIVE_INFINITY,
): void {
  longerLimits.set(client, statementTimeoutMs + BEYOND_SERVER_MS);
}

/** How long the oldest statement of this pool has waited for its answer; 0 without one. */
export function oldestStatementMs(pool: object): number {
  return statementsOf.get(pool)?.oldestMs() ?? 0;
}

/**
 * Watches the statements of a pool from the client's side, where `statement_timeout` does not reach: the server may not
 * have received the statement, or be frozen.
 */
export function watchStatements(pool: pg.Pool, timeoutMs: number): void {
  const statements = new RunningStatements(timeoutMs);
  statementsOf.set(pool, statements);
  pool.on("connect", (client) => statements.opened(client));
  pool.on("acquire", (client) => statements.acquired(client));
  pool.on("release", (_error, client) => statements.released(client));
  pool.on("remove", (client) => statements.removed(client));
}

class RunningStatements {
  readonly #timeoutMs: number;
  /** Oldest first. */
  readonly #running = new Set<RunningStatement>();
  /** When each open connection last answered. */
  readonly #answeredAt = new Map<pg.ClientBase, number>();
  readonly #idle = new Set<pg.ClientBase>();
  #timer: NodeJS.Timeout | null = null;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  oldestMs(): number {
    for (const { startedAt, client } of this.#running)
      if (!longerLimits.has(client)) return performance.now() - startedAt;
    return 0;
  }

  opened(client: pg.ClientBase): void {
    this.#answeredAt.set(client, performance.now());
    client.query = this.#watchQuery(client.query, client);
    if (client instanceof pg.Client) boundGoodbye(client);
  }

  acquired(client: pg.ClientBase): void {
    this.#idle.delete(client);
  }

  released(client: pg.ClientBase): void {
    longerLimits.delete(client);
    if (this.#answeredAt.has(client)) this.#idle.add(client);
  }

  removed(client: pg.ClientBase): void {
    this.#answeredAt.delete(client);
    this.#idle.delete(client);
  }

  #watchQuery<Query extends (...parameters: never[]) => unknown>(query: Query, client: pg.ClientBase): Query {
    return new Proxy(query, {
      apply: (target, self, parameters: unknown[]) => {
        const end = this.#begin(client);
        const callback = parameters.at(-1);
        // The pool's own statements carry a callback.
        if (typeof callback === "function") {
          const watched = (...answer: unknown[]) => {
            end();
            Reflect.apply(callback, undefined, answer);
          };
          return Reflect.apply(target, self, parameters.with(-1, watched));
        }
        const answer = Reflect.apply(target, self, parameters);
        if (answer instanceof Promise) answer.then(end, end);
        // A stream of rows: read as slowly as its reader likes.
        else end();
        return answer;
      },
    });
  }

  #begin(client: pg.ClientBase): () => void {
    const statement = { client, startedAt: performance.now() };
    this.#running.add(statement);
    this.#timer ??= setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
    return () => {
      this.#running.delete(statement);
      if (this.#answeredAt.has(client)) this.#answeredAt.set(client, performance.now());
    };
  }

  #check(): void {
    const now = performance.now();
    for (const { client, startedAt } of this.#running)
      if (now - startedAt >= (longerLimits.get(client) ?? this.#timeoutMs)) this.#cutOff(client, startedAt);
    if (this.#running.size > 0 || !this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /**
   * Also cuts off the idle connections that have not answered since: what silenced one has silenced them, and each
   * would otherwise cost its next user as long again.
   */
  #cutOff(client: pg.ClientBase, startedAt: number): void {
    cutOff(client, this.#timeoutMs);
    for (const idle of [...this.#idle])
      if ((this.#answeredAt.get(idle) ?? 0) < startedAt) cutOff(idle, this.#timeoutMs);
  }
}

/** Its statements reject at once, and the pool replaces it. The server rolls back when it notices. */
function cutOff(client: pg.ClientBase, timeoutMs: number): void {
  if (client instanceof pg.Client) client.connection.stream.destroy(new UnansweredStatement(timeoutMs));
}

/** A connection is closed with a message to the server, which a dead one never acknowledges. */
export function boundGoodbye(client: pg.Client): void {
  client.end = new Proxy(client.end, {
    apply: (target, self, parameters) => {
      const { stream } = client.connection;
      const timer = setTimeout(() => stream.destroy(), GOODBYE_MS).unref();
      stream.once("close", () => clearTimeout(timer));
      return Reflect.apply(target, self, parameters);
    },
  });
}
