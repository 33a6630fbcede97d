import { RETRY_DELAYS_MS } from "@/lib/contract/webhooks";

/** Jitter takes away up to this part of a delay: it spreads what failed together, and only ever shortens. */
const JITTER = 0.1;

/**
 * How long to wait after a failed attempt (decisions page, "Webhooks").
 * @param attempts how many were made in this round, the failed one included
 * @param random in [0, 1)
 * @returns null after the last one: the delivery is dead.
 */
export function nextDelayMs(attempts: number, random: () => number): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 - JITTER * random()));
}
