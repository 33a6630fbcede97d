import { THROTTLE_WINDOW_MS } from "@/lib/core/members/throttle";
import type { Services } from "@/lib/platform/services";

/**
 * Deletes challenges and throttle windows that have passed and mean nothing any more.
 * @returns how many rows, at most 2 × `limit`.
 */
export async function forgetExpired(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const now = services.clock.now();
  const challenges = await services.pool.query(
    `delete from challenges where challenge in
       (select challenge from challenges where expires_at <= $1 order by expires_at limit $2 for update skip locked)`,
    [now, limit],
  );
  const throttles = await services.pool.query(
    `delete from throttles where subject in
       (select subject from throttles where window_started_at <= $1 order by window_started_at limit $2
          for update skip locked)`,
    [new Date(now.getTime() - THROTTLE_WINDOW_MS), limit],
  );
  return (challenges.rowCount ?? 0) + (throttles.rowCount ?? 0);
}
