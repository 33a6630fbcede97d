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
  /** Whether the address has an account here; shown only to the holder of the link, who reads its mail. */
  isKnown: boolean;
}

/** Valid: not older than a week, and its sender may still give this role. */
const IS_GOOD = `v.token_hash = $1 and v.expires_at > $2 and exists (
  select from memberships m where m.organization_id = v.organization_id and m.user_id = v.invited_by
     and may_manage_role(m.role, v.role))`;

/** What a link invites to. Null: not or no longer valid, without revealing why. */
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
 * Consumes a link, in the transaction that it is used for: of concurrent uses one succeeds.
 * @param now real time
 */
export async function takeInvitation(
  client: Queryable,
  token: string,
  now: Date,
): Promise<TakenInvitation | null> {
  const tokenHash = hashInvitationToken(token);
  if (!tokenHash) return null;
  // The sender's role is locked until the commit, so that a link does not outlive the authority behind it.
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
