import { AppError } from "@/lib/contract/error";
import { INVITATION_LIFETIME_MS } from "@/lib/contract/members";
import type { MemberRole } from "@/lib/contract/views/people";
import { type InviteServices, makeToken, takeTurn } from "@/lib/core/organizations/invite-member";
import { queueInvitation } from "@/lib/core/organizations/queue-invitation";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { lockOrganization, requireMayInvite } from "@/lib/core/sign-in/lock-organization";
import { inTransaction, type Queryable } from "@/lib/db/transaction";

/**
 * Sends an invitation again, with a new link and another 7 days; the link before works no longer. Whoever sends it again
 * is from then on the one who invites.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` when it waits no longer, `RATE_LIMIT_EXCEEDED`; NotConfirmed
 * without presence where the role decides about money.
 */
export async function resendInvitation(
  services: InviteServices,
  context: Context<MemberActor>,
  invitationId: string,
  setting: { isSandboxBank: boolean },
): Promise<void> {
  const { email } = await findWaiting(services.pool, context.organizationId, invitationId);
  await takeTurn(services, context.organizationId, email);
  const realNow = services.clock.now();
  const { token, tokenHash } = makeToken();
  const expiresAt = new Date(realNow.getTime() + INVITATION_LIFETIME_MS);
  await inTransaction(services.pool, async (client) => {
    const organizationName = await lockOrganization(client, context.organizationId);
    const { role } = await findWaiting(client, context.organizationId, invitationId);
    await requireMayInvite(client, context, role, realNow);
    const { rowCount } = await client.query(
      `update invitations set token_hash = $3, invited_by = $4, invited_at = $5, expires_at = $6
        where organization_id = $1 and id = $2`,
      [context.organizationId, invitationId, tokenHash, context.actor.id, realNow, expiresAt],
    );
    if (rowCount !== 1) throw waitsNoLonger();
    const invitation = { organizationName, email, role, token, expiresAt };
    await queueInvitation(client, services, context, invitation, setting);
  });
  services.wake(SEND_MESSAGES);
}

/** @throws AppError `INVALID_PARAMETERS` for one that was accepted or withdrawn, or is another organization's. */
export async function findWaiting(
  database: Queryable,
  organizationId: string,
  invitationId: string,
): Promise<{ email: string; role: MemberRole }> {
  const { rows } = await database.query<{ email: string; role: MemberRole }>(
    "select email, role from invitations where organization_id = $1 and id = $2",
    [organizationId, invitationId],
  );
  if (!rows[0]) throw waitsNoLonger();
  return rows[0];
}

function waitsNoLonger(): AppError {
  return new AppError(
    "INVALID_PARAMETERS",
    "This invitation waits no longer: it was accepted or withdrawn. Load this page again to see.",
  );
}
