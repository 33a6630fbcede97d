import { setTimeout as pause } from "node:timers/promises";

const POLL_MS = 10;

/**
 * Waits for something that another process brings about and does not announce.
 * @throws Error when it has not happened after `timeoutMs`
 */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
    await pause(POLL_MS);
  }
}
