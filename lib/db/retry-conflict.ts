import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "@/lib/platform/error-code";

const MAX_ATTEMPTS = 3;
const RETRY_MS = 10;
const DEADLOCK = "40P01";
const SERIALIZATION_FAILURE = "40001";

/**
 * Tries a deadlock (40P01) or a serialization failure (40001) again, at most twice: PostgreSQL undid everything, so `work`
 * starts anew. It must be a whole transaction, with no effect outside the database (no call, no change of outer
 * variables). No other error is tried again: a lost connection leaves open whether the commit happened.
 */
export async function retryConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !hasCode(error, DEADLOCK, SERIALIZATION_FAILURE)) throw error;
      // Jitter: the two that collided must not meet again.
      await pause(Math.random() * RETRY_MS * attempt);
    }
  }
}
