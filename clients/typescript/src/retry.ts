import type { OperationShape } from "./call.js";
import { SluiceConnectionError, SluiceError } from "./errors.js";

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** Random, so that callers refused together do not retry together. */
const SPREAD_MS = 1_000;

/**
 * Whether repeating the request may help and is safe. A write without an idempotency key is repeated only if the API
 * says that it has not begun.
 */
export function isWorthRepeating(operation: OperationShape, error: unknown): boolean {
  if (error instanceof SluiceError && error.status === 429) return true;
  if (operation.method !== "GET" && !operation.isIdempotent) return false;
  if (error instanceof SluiceConnectionError) return true;
  // In progress: an earlier attempt of ours, whose answer was lost, is still running.
  return error instanceof SluiceError && (error.status >= 500 || error.code.endsWith("_IN_PROGRESS"));
}

/**
 * How long to wait before the next attempt: as long as the API asks, otherwise longer each time, with jitter.
 * @param attempt the failed one, from 1
 * @param random from 0 to 1
 */
export function delayBeforeNext(attempt: number, error: unknown, random: number): number {
  const askedSeconds = error instanceof SluiceError ? error.retryAfterSeconds : null;
  if (askedSeconds !== null) return askedSeconds * 1_000 + random * SPREAD_MS;
  return random * Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS);
}
