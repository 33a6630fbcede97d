import type { Pool, PoolClient, QueryResult } from "pg";

const SAVEPOINT = "joined_transaction";

/**
 * A pool whose only connection is a transaction that is already open. Verbs that take a pool then take part in that
 * transaction: what they commit becomes a savepoint, kept or lost with the whole. Run them one after the other: there
 * is one connection, and two verbs at once would mix their savepoints.
 *
 * For setting something up that must exist whole or not at all. Not for requests: what a verb relies on to be durable
 * when it returns is not.
 */
export function joinTransaction(pool: Pool, client: PoolClient): Pool {
  const joined = replace(client, {
    query: (...args: unknown[]) => queryJoined(client, args),
    // The transaction's owner releases it.
    release: () => undefined,
  });
  return replace(pool, { query: client.query.bind(client), connect: async () => joined });
}

/** `inTransaction`'s own statements are the only ones that it must not pass on as they are. */
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
