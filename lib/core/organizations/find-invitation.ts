import type { MemberRole } from "@/lib/contract/members";
import { hashInvitationToken } from "@/lib/core/organizations/invite-member";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export interface FoundInvitation {
  organizationId: string;
  organizationName: string;
  invitedByName: string;
  email: string;
  role: MemberRole;
  /** Whether somebody of this server has the address: told to whoever holds the link, and so reads its mail. */
  isKnown: boolean;
}

/** Good: its week is not over, and whoever sent it is still somebody who may give this role. */
const IS_GOOD = `v.token_hash = $1 and v.expires_at > $2 and exists (
  select from memberships m where m.organization_id = v.organization_id and m.user_id = v.invited_by
     and may_manage_role(m.role, v.role))`;

/** What a link invites to. Null: it does not (any more), and why is nobody's to know. */
export async function findInvitation(
  services: Pick<Services, "pool" | "clock">,
  token: string,
): Promise<FoundInvitation | null> {
  const tokenHash = hashInvitationToken(token);
  if (!tokenHash) return null;
  const { rows } = await services.pool.query<FoundInvitation>({
    name: "find_invitation",
    text: `
      select v.organization_id as "organizationId", o.name as "organizationName", u.name as "invitedByName", v.email,
          v.role, exists (select from users k where lower(k.email) = v.email) as "isKnown"
        from invitations v join organizations o on o.id = v.organization_id join users u on u.id = v.invited_by
       where ${IS_GOOD}`,
    values: [tokenHash, services.clock.now()],
  });
  return rows[0] ?? null;
}

export interface TakenInvitation {
  organizationId: string;
  email: string;
  role: MemberRole;
  invitedBy: string;
}

/**
 * Uses a link up, in the transaction of what it is used for: of any number at the same moment one gets it.
 * @param now real time
 */
export async function takeInvitation(
  client: Queryable,
  token: string,
  now: Date,
): Promise<TakenInvitation | null> {
  const tokenHash = hashInvitationToken(token);
  if (!tokenHash) return null;
  // Whoever sent it stays who they are until the commit, so that a link does not outlive the power behind it.
  await client.query(
    `select 1 from memberships m where (m.organization_id, m.user_id) in (
       select v.organization_id, v.invited_by from invitations v where v.token_hash = $1) for share`,
    [tokenHash],
  );
  const { rows } = await client.query<TakenInvitation>({
    name: "take_invitation",
    text: `
      delete from invitations v where ${IS_GOOD}
      returning v.organization_id as "organizationId", v.email, v.role, v.invited_by as "invitedBy"`,
    values: [tokenHash, now],
  });
  return rows[0] ?? null;
}
