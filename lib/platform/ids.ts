import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

/** The last millisecond in which this process created an id, and the counter within it. */
let last = { msecs: -1, seq: 0 };

/**
 * A UUIDv7 that sorts by `at` (business time) and, within one millisecond of one process, by creation: a list ordered
 * by id is ordered by creation, even if a sandbox has moved its clock.
 */
export function newId(at: Date): string {
  const msecs = at.getTime();
  const random = takeRandom(UUID_BYTES);
  // Starts in the lower half of 32 bits, so that two billion ids fit into the millisecond. `v7` uses only the last six bytes.
  last = { msecs, seq: msecs === last.msecs ? last.seq + 1 : random.readUInt32BE() >>> 1 };
  return v7({ ...last, random });
}

const UUID_BYTES = 16;

const pool = Buffer.alloc(4_096);
let poolUsed = pool.length;

/** Filled for 256 ids at once: a call for each took 8% of a busy process (docs/performance.md). */
function takeRandom(count: number): Buffer {
  if (poolUsed + count > pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  poolUsed += count;
  return pool.subarray(poolUsed - count, poolUsed);
}

/** The smallest id of this millisecond: with `lastIdAt`, a range of time as a range of ids. */
export const firstIdAt = (at: Date): string => `${idPrefix(at)}-0000-0000-000000000000`;

/** The largest id of this millisecond. */
export const lastIdAt = (at: Date): string => `${idPrefix(at)}-ffff-ffff-ffffffffffff`;

/** The first 48 bits of an id, its milliseconds. */
function idPrefix(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

const REQUEST_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** A short handle for one request, such as `7fq2-m81x-k03d`: 60 random bits that a person can read out. */
export function newRequestId(): string {
  const characters = Array.from(takeRandom(12), (byte) => REQUEST_ID_ALPHABET[byte % 32]);
  return [0, 4, 8].map((start) => characters.slice(start, start + 4).join("")).join("-");
}
