import { z } from "zod";
import type { Services } from "@/lib/platform/services";

/**
 * Makes this browser look at another organization of the same member.
 * @returns false, and nothing has changed, when they do not belong to it or the session has ended.
 */
export async function switchOrganization(
  services: Pick<Services, "pool">,
  sessionId: string,
  userId: string,
  organizationId: string,
): Promise<boolean> {
  if (!z.uuid().safeParse(organizationId).success) return false;
  const { rowCount } = await services.pool.query(
    `update sessions s set organization_id = m.organization_id
       from memberships m
      where s.id = $1 and s.user_id = $2 and s.revoked_at is null
        and m.user_id = s.user_id and m.organization_id = $3`,
    [sessionId, userId, organizationId],
  );
  return rowCount === 1;
}
