import type { StepUpAct } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import { decidesMoney, type MemberRole, managedRoles } from "@/lib/contract/members";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requirePresence } from "@/lib/core/sign-in/presence";
import type { Queryable } from "@/lib/db/transaction";

/**
 * Locks the organization's members until the commit: counts stay valid, and of two concurrent changes the second one sees
 * the first (`may_change_member` takes the same lock).
 */
export async function lockOrganization(client: Queryable, organizationId: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    "select name from organizations where id = $1 for no key update",
    [organizationId],
  );
  if (!rows[0]) throw new Error("The organization of a signed-in member was not found.");
  return rows[0].name;
}

/**
 * In the transaction of an invitation, under `lockOrganization`: the member may give this role.
 * @param realNow real time; step-up for a role that decides about money is checked against it
 * @throws AppError `ACCESS_DENIED`; NotConfirmed without presence where the role decides about money.
 */
export async function requireMayInvite(
  client: Queryable,
  context: Context<MemberActor>,
  role: MemberRole,
  realNow: Date,
  act: StepUpAct,
): Promise<void> {
  const { rows } = await client.query<{ role: MemberRole }>(
    "select role from memberships where organization_id = $1 and user_id = $2 for share",
    [context.organizationId, context.actor.id],
  );
  const own = rows[0]?.role;
  if (own === undefined || !managedRoles(own).includes(role)) throw mayNotInvite(role);
  // A deciding role outlives the session, as a key does.
  if (decidesMoney(role)) await requirePresence(client, context.actor, realNow, act);
}

export function mayNotInvite(role: MemberRole): AppError {
  const who = decidesMoney(role) ? "Only an owner" : "Only an owner or co-owner";
  return new AppError(
    "ACCESS_DENIED",
    `${who} may invite someone with this role. Nothing was sent or changed.`,
  );
}
