import { decidesMoney } from "@/lib/contract/decides-money";
import { readRole, requireDone } from "@/lib/core/organizations/change-member-role";
import { noteMemberChange } from "@/lib/core/organizations/note-member-change";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Takes a member out of the organization, or lets the actor leave. At once and together: their sessions here end, and the
 * assistants that they connected, with what those ask for and have not sent yet. Keys that they made stay (decisions
 * page, "Approval"). Owners and the member are told by email.
 * @throws AppError `ACCESS_DENIED` for a member whom the actor may not remove, `INVALID_PARAMETERS` for nobody and for
 * the last owner. NotConfirmed without presence where somebody who decides is removed by another.
 */
export async function removeMember(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  userId: string,
): Promise<void> {
  const { organizationId, actor, now } = context;
  const realNow = services.clock.now();
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    const role = await readRole(client, organizationId, userId);
    if (userId !== actor.id && role !== null && decidesMoney(role)) {
      await requirePresence(client, actor, realNow);
    }
    const { rows } = await client.query<{ answer: Parameters<typeof requireDone>[0] }>({
      name: "remove_member",
      text: "select remove_member($1, $2, $3, $4, $5) as answer",
      values: [organizationId, actor.id, userId, now, realNow],
    });
    requireDone(rows[0]?.answer, "Nobody was removed.");
    if (role !== null) await noteMemberChange(client, context, { userId, before: role, after: null });
  });
  services.wake(SEND_MESSAGES);
}
