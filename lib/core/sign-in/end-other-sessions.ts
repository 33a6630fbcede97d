import type { MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";

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
