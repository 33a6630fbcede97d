import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "@/lib/platform/clock";

const POLL_MS = 10;

/**
 * Waits for something that another process does without announcing it.
 * @throws Error if it has not happened after `timeoutMs`
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

const MINUTE_MS = 60_000;

/** Waits, if necessary, until at least so many milliseconds of the current clock minute are left. */
export async function waitForRoomInMinute(roomMs: number): Promise<void> {
  await waitUntil(
    "a fresh clock minute",
    () => MINUTE_MS - (systemClock.now().getTime() % MINUTE_MS) >= roomMs,
    roomMs + 5_000,
  );
}
