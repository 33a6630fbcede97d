import { RETRY_DELAYS_MS } from "@/lib/contract/webhooks";

/** The largest fraction that jitter subtracts from a delay, to spread deliveries that failed together. */
const JITTER = 0.1;

/**
 * The delay after a failed attempt (docs/behavior/webhooks.md).
 * @param attempts of this round, including the failed one
 * @param random in [0, 1)
 * @returns null after the last attempt: the delivery has failed.
 */
export function nextDelayMs(attempts: number, random: () => number): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 - JITTER * random()));
}
