import { createHash } from "node:crypto";

/** PostgreSQL cuts longer names off. */
const MAXIMUM_LENGTH = 63;
const DIGEST_LENGTH = 12;

/**
 * The name of a prepared statement that is put together from parts. A cut-off one could be the name of another statement,
 * whose answer would be returned.
 */
export function statementName(...parts: readonly string[]): string {
  const name = parts.join("_");
  if (name.length <= MAXIMUM_LENGTH) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, DIGEST_LENGTH);
  return `${name.slice(0, MAXIMUM_LENGTH - DIGEST_LENGTH - 1)}_${digest}`;
}
