import { RETRY_DELAYS_MS } from "@/lib/contract/webhooks";

/** The largest fraction that jitter subtracts from a delay, to spread deliveries that failed together. */
const JITTER = 0.1;

/**
 * The delay after a failed attempt (docs/behavior/webhooks.md).
 * @param attempts of this round, including the failed one
 * @param random in [0, 1)
 * @param askedMs how long the receiver asks to wait: honored as far as the delay of the next step, so that no receiver
 *   postpones an event without end
 * @returns null after the last attempt: the delivery has failed.
 */
export function nextDelayMs(
  attempts: number,
  random: () => number,
  askedMs: number | null = null,
): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const scheduledMs = Math.round(delayMs * (1 - JITTER * random()));
  return Math.max(scheduledMs, Math.min(askedMs ?? 0, RETRY_DELAYS_MS[attempts] ?? delayMs));
}
