import { managedRoles } from "@/lib/contract/members";
import type { MemberRole } from "@/lib/contract/views/people";
import { findWaiting } from "@/lib/core/organizations/resend-invitation";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { lockOrganization, mayNotInvite } from "@/lib/core/sign-in/lock-organization";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Takes an invitation back: its link works no longer. It takes no proof, for it only ends.
 * @throws AppError `ACCESS_DENIED` for whoever could not have sent it, `INVALID_PARAMETERS` when it waits no longer.
 */
export async function withdrawInvitation(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  invitationId: string,
): Promise<void> {
  const { organizationId, actor } = context;
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    const { role } = await findWaiting(client, organizationId, invitationId);
    const { rows } = await client.query<{ role: MemberRole }>(
      "select role from memberships where organization_id = $1 and user_id = $2 for share",
      [organizationId, actor.id],
    );
    const own = rows[0]?.role;
    if (own === undefined || !managedRoles(own).includes(role)) throw mayNotInvite(role);
    await client.query("delete from invitations where organization_id = $1 and id = $2", [
      organizationId,
      invitationId,
    ]);
  });
}
