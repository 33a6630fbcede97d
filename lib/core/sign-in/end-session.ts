import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

/** Ends a session at once and permanently; an unknown or ended id is not an error. */
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
 * Signs the member out at another browser, at once. No step-up, as for `endOtherSessions`: it only ends access.
 * @throws AppError `INVALID_PARAMETERS` for the current session, another person's, and one that has ended.
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
  if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", "This session has already ended.");
}

/**
 * Signs a member out everywhere else, at once. No step-up: someone who discovers a stranger in their account is in a
 * hurry, and the only cost is signing in again.
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
