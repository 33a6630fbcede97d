import type { Pool, PoolClient } from "pg";

/** A statement as it was sent to PostgreSQL. */
export interface SentStatement {
  name: string | null;
  text: string;
  values: unknown[];
  /** Sent inside a transaction of its own connection, not on the pool. */
  isOnClient: boolean;
}

/** The pool, which notes what is sent. */
export function noteStatements(pool: Pool, sent: SentStatement[]): Pool {
  return withQuery(pool, sent, false, {
    connect: async () => {
      const client = await pool.connect();
      return withQuery(client, sent, true, { release: (broken?: boolean) => client.release(broken) });
    },
  });
}

function withQuery<T extends Pool | PoolClient>(
  target: T,
  sent: SentStatement[],
  isOnClient: boolean,
  others: Record<string, unknown>,
): T {
  return new Proxy(target, {
    get: (original, name) => {
      if (typeof name === "string" && name in others) return others[name];
      if (name !== "query") return Reflect.get(original, name);
      return (query: unknown, values: unknown[] = []) => {
        sent.push({ ...readQuery(query, values), isOnClient });
        return Reflect.apply(original.query, original, [query, values.length > 0 ? values : undefined]);
      };
    },
  });
}

function readQuery(query: unknown, values: unknown[]): Omit<SentStatement, "isOnClient"> {
  if (typeof query === "string") return { name: null, text: query, values };
  const { name = null, text, values: own = values } = Object(query);
  return { name, text, values: own };
}
