import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import {
  INVITATION_LIFETIME_MS,
  MAXIMUM_INVITATIONS,
  MAXIMUM_MEMBERS,
  managedRoles,
} from "@/lib/contract/members";
import { hashInvitationToken, newInvitationToken } from "@/lib/core/organizations/invitation-token";
import { queueInvitation } from "@/lib/core/organizations/queue-invitation";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { emailSchema } from "@/lib/core/shared/email";
import { memberRoleSchema } from "@/lib/core/shared/member-role";
import { byAddressInvited, byOrganizationInviting, takeAttempt } from "@/lib/core/shared/throttle";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { lockOrganization, mayNotInvite, requireMayInvite } from "@/lib/core/sign-in/lock-organization";
import { parseInput } from "@/lib/core/sign-in/person";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

const inputSchema = z.object({ email: emailSchema, role: memberRoleSchema });

export type InviteServices = Pick<Services, "pool" | "clock" | "wake" | "appUrl">;

/**
 * Invites an address with a role: a link by email, good for 7 days and once. Whether somebody else of this server has
 * the address changes nothing that the inviter can see.
 * @throws AppError `ACCESS_DENIED` for a role that the member may not give; `INVALID_PARAMETERS` for what is no
 * address, for a member, and for somebody who is invited already; `RATE_LIMIT_EXCEEDED` after too many invitations.
 * NotConfirmed without presence where the role decides about money.
 */
export async function inviteMember(
  services: InviteServices,
  context: Context<MemberActor>,
  input: z.input<typeof inputSchema>,
  setting: { isSandboxBank: boolean },
): Promise<void> {
  const { email, role } = parseInput(inputSchema, input);
  if (!managedRoles(context.actor.role).includes(role)) throw mayNotInvite(role);
  await takeTurn(services, context.organizationId, email);
  const realNow = services.clock.now();
  const { token, tokenHash } = makeToken();
  const expiresAt = new Date(realNow.getTime() + INVITATION_LIFETIME_MS);
  await inTransaction(services.pool, async (client) => {
    const organizationName = await lockOrganization(client, context.organizationId);
    await requireMayInvite(client, context, role, realNow);
    await requireRoom(client, context.organizationId, email, realNow);
    await client.query(
      `insert into invitations (organization_id, id, email, role, token_hash, invited_by, invited_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (organization_id, email) do update set role = excluded.role, token_hash = excluded.token_hash,
         invited_by = excluded.invited_by, invited_at = excluded.invited_at, expires_at = excluded.expires_at`,
      [context.organizationId, newId(realNow), email, role, tokenHash, context.actor.id, realNow, expiresAt],
    );
    const invitation = { organizationName, email, role, token, expiresAt };
    await queueInvitation(client, services, context, invitation, setting);
  });
  services.wake(SEND_MESSAGES);
}

/** For one address and for one organization: an invitation must not become a way to flood a stranger. */
export async function takeTurn(
  services: Pick<Services, "pool" | "clock">,
  organizationId: string,
  email: string,
): Promise<void> {
  const attempt = await takeAttempt(services, [
    byOrganizationInviting(organizationId),
    byAddressInvited(organizationId, email),
  ]);
  if (attempt.kind === "TAKEN") return;
  const hours = Math.ceil(attempt.retryAfterSeconds / 3_600);
  throw new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many invitations were sent today. Nothing was sent. Try again in ${hours} h.`,
  );
}

export function makeToken(): { token: string; tokenHash: Buffer } {
  const token = newInvitationToken();
  const tokenHash = hashInvitationToken(token);
  if (!tokenHash) throw new Error("A new token is none.");
  return { token, tokenHash };
}

async function requireRoom(
  client: Queryable,
  organizationId: string,
  email: string,
  realNow: Date,
): Promise<void> {
  const { rows } = await client.query<{
    is_member: boolean;
    is_invited: boolean;
    waiting: number;
    members: number;
  }>(
    `select
        exists (select from memberships m join users u on u.id = m.user_id
          where m.organization_id = $1 and lower(u.email) = $2) as is_member,
        exists (select from invitations v
          where v.organization_id = $1 and v.email = $2 and v.expires_at > $3) as is_invited,
        (select count(*)::int from invitations v where v.organization_id = $1 and v.email <> $2) as waiting,
        (select count(*)::int from memberships m where m.organization_id = $1) as members`,
    [organizationId, email, realNow],
  );
  const found = rows[0];
  if (!found) throw new Error("Counting members gave no row.");
  if (found.is_member) throw refused("is a member already");
  if (found.is_invited) throw refused("is invited already. Send that invitation again, or withdraw it first");
  if (found.waiting >= MAXIMUM_INVITATIONS || found.members + found.waiting >= MAXIMUM_MEMBERS) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `There is no room for another invitation (${MAXIMUM_INVITATIONS} at a time, ${MAXIMUM_MEMBERS} members). Withdraw one first.`,
    );
  }
}

function refused(problem: string): AppError {
  const message = `This address ${problem}.`;
  return new AppError("INVALID_PARAMETERS", message, [{ field: "email", message }]);
}
