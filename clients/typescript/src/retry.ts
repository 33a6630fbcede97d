import type { OperationShape } from "./call.js";
import { SluiceConnectionError, SluiceError } from "./errors.js";

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
/** Callers who were refused together do not come back together. */
const SPREAD_MS = 1_000;

/**
 * Whether sending the same request again may help and can do no harm. A write without an idempotency key is repeated
 * only when the API says that it has not begun.
 */
export function isWorthRepeating(operation: OperationShape, error: unknown): boolean {
  if (error instanceof SluiceError && error.status === 429) return true;
  if (operation.method !== "GET" && !operation.isIdempotent) return false;
  if (error instanceof SluiceConnectionError) return true;
  // In progress: the first of our own requests, whose answer was lost, is still being worked on.
  return error instanceof SluiceError && (error.status >= 500 || error.code.endsWith("_IN_PROGRESS"));
}

/**
 * How long to wait before the next attempt: as long as the API asks for, else longer each time; never all callers at
 * the same moment.
 * @param attempt the one that failed, from 1
 * @param random from 0 to 1
 */
export function delayBeforeNext(attempt: number, error: unknown, random: number): number {
  const askedSeconds = error instanceof SluiceError ? error.retryAfterSeconds : null;
  if (askedSeconds !== null) return askedSeconds * 1_000 + random * SPREAD_MS;
  return random * Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS);
}
