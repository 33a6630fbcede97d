import { z } from "zod";
import type { Services } from "@/lib/platform/services";

/** Ends a session at once and for good; an id that is none, or that has ended, is no error. */
export async function endSession(
  services: Pick<Services, "pool" | "clock">,
  sessionId: string,
): Promise<void> {
  if (!z.uuid().safeParse(sessionId).success) return;
  await services.pool.query("update sessions set revoked_at = $2 where id = $1 and revoked_at is null", [
    sessionId,
    services.clock.now(),
  ]);
}
