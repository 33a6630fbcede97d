import type pg from "pg";
import type { Span, Tracing } from "@/lib/platform/observe/tracing";

/**
 * Has the statements of a pool told of by their prepared names, as parts of what is under way. Their text and values stay
 * here: they hold amounts and names.
 */
export function traceQueries(pool: pg.Pool, tracing: Tracing): void {
  pool.query = tracedQuery(pool.query, tracing);
  // Of a transaction; those that the pool sends come with a callback, and were told of above with the wait for a connection.
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

/** Ends the span with the answer, whether that is a promise or something else (a stream of rows). */
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

/** Of a statement without a name its first word, `begin` or `commit` above all. */
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
