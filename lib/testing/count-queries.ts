import type { Pool } from "pg";

/**
 * A pool that notes each statement which is sent through it, by name or text: each is a round trip.
 * @throws Error from its `connect`: a request that opens a transaction of its own would go uncounted
 */
export function countQueries(pool: Pool) {
  const queries: string[] = [];
  const counted = new Proxy(pool, {
    get(target, property) {
      if (property === "connect") throw new Error("A connection was taken: its statements are not counted");
      if (property !== "query") return Reflect.get(target, property);
      return (...parameters: unknown[]) => {
        queries.push(nameOf(parameters[0]));
        return Reflect.apply(target.query, target, parameters);
      };
    },
  });
  return { pool: counted, queries };
}

function nameOf(statement: unknown): string {
  if (typeof statement === "string") return statement;
  if (typeof statement !== "object" || statement === null) return String(statement);
  if ("name" in statement && typeof statement.name === "string") return statement.name;
  return "text" in statement ? String(statement.text).trim() : "a statement without text";
}
