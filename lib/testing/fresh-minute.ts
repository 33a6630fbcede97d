import { systemClock } from "@/lib/platform/clock";
import { waitUntil } from "@/lib/testing/wait-until";

const MINUTE_MS = 60_000;

/** Waits, where it must, until at least so many milliseconds of the present clock minute are left. */
export async function waitForRoomInMinute(roomMs: number): Promise<void> {
  await waitUntil(
    "a fresh clock minute",
    () => MINUTE_MS - (systemClock.now().getTime() % MINUTE_MS) >= roomMs,
    roomMs + 5_000,
  );
}
