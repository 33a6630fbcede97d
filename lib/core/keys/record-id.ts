import { createHash } from "node:crypto";

/**
 * Under which a record of the authorization server is kept. Ids of codes and tokens are secrets with 256 random bits:
 * whoever reads the table learns none of them, and a slow hash would protect nothing more.
 */
export function hashRecordId(id: string): Buffer {
  return createHash("sha256").update(id).digest();
}
