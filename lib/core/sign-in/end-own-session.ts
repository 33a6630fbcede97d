import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/**
 * Signs the member out at one other browser, at once. As with all others (`endOtherSessions`) it takes no proof: it only
 * ends.
 * @throws AppError `INVALID_PARAMETERS` for this very session, somebody else's, and one that has ended.
 */
export async function endOwnSession(
  services: Pick<Services, "pool" | "clock">,
  actor: Pick<MemberActor, "id" | "sessionId">,
  sessionId: string,
): Promise<void> {
  const { rowCount } = await services.pool.query(
    `update sessions set revoked_at = $4
      where id = $1 and user_id = $2 and id <> $3 and revoked_at is null`,
    [sessionId, actor.id, actor.sessionId, services.clock.now()],
  );
  if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", "That session has ended already.");
}
