import { randomBytes } from "node:crypto";
import { v7 } from "uuid";

/**
 * A UUIDv7 that sorts by `at` (business time), so that a list ordered by id is a list ordered by creation,
 * also where a sandbox has moved its clock.
 */
export function newId(at: Date): string {
  return v7({ msecs: at.getTime() });
}

const REQUEST_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** A short handle for one request, e.g. `7fq2-m81x-k03d`: 60 random bits that a person can read out. */
export function newRequestId(): string {
  const characters = Array.from(randomBytes(12), (byte) => REQUEST_ID_ALPHABET[byte % 32]);
  return [0, 4, 8].map((start) => characters.slice(start, start + 4).join("")).join("-");
}
