import type { TakenInvitation } from "@/lib/core/organizations/find-invitation";
import { writeNotice } from "@/lib/core/shared/write-notice";
import type { Queryable } from "@/lib/db/transaction";

/**
 * Makes somebody a member who was invited, and has those who decide told of it. A member already stays what they are: a
 * link raises nobody.
 * @param now real time
 */
export async function joinOrganization(
  client: Queryable,
  { organizationId, role, invitedBy }: TakenInvitation,
  userId: string,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<{ business_now: Date }>(
    `with joined as (
       insert into memberships (organization_id, user_id, role, created_at, invited_by) values ($1, $2, $3, $4, $5)
       on conflict (organization_id, user_id) do nothing returning organization_id)
     select $4::timestamptz + o.clock_offset_ms * interval '1 millisecond' as business_now
       from joined j join organizations o on o.id = j.organization_id`,
    [organizationId, userId, role, now, invitedBy],
  );
  const businessNow = rows[0]?.business_now;
  if (!businessNow) return;
  await writeNotice(client, {
    organizationId,
    kind: "MEMBER_JOINED",
    subjectId: userId,
    userId: null,
    toldTogetherBy: organizationId,
    now: businessNow,
  });
}

/** Makes a browser look at the organization that its reader has just joined. */
export async function lookAt(
  client: Queryable,
  session: { sessionId: string; userId: string },
  organizationId: string,
): Promise<void> {
  await client.query(
    "update sessions set organization_id = $3 where id = $1 and user_id = $2 and revoked_at is null",
    [session.sessionId, session.userId, organizationId],
  );
}
