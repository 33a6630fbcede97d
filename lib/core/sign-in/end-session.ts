import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
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

/**
 * Signs a member out everywhere but here, at once. It takes no proof: somebody who has found a stranger signed in as
 * them is in a hurry, and all it costs is to sign in again.
 */
export async function endOtherSessions(
  services: Pick<Services, "pool" | "clock">,
  actor: Pick<MemberActor, "id" | "sessionId">,
): Promise<void> {
  await services.pool.query(
    "update sessions set revoked_at = $3 where user_id = $1 and id <> $2 and revoked_at is null",
    [actor.id, actor.sessionId, services.clock.now()],
  );
}
