import type { MemberRole } from "@/lib/contract/views/people";
import { invitationHref } from "@/lib/core/organizations/invitation-token";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { renderInvitation } from "@/lib/words/messages/invitation";

interface QueuedInvitation {
  organizationName: string;
  email: string;
  role: MemberRole;
  /** In clear text: it stands in this message until that is sent, and nowhere else. */
  token: string;
  /** Real time. */
  expiresAt: Date;
}

/** Queues the email with the link, in the transaction of the invitation; wake SEND_MESSAGES after it. */
export async function queueInvitation(
  client: Queryable,
  { appUrl }: Pick<Services, "appUrl">,
  { organizationId, actor, now }: Context<MemberActor>,
  { organizationName, email, role, token, expiresAt }: QueuedInvitation,
  { isSandboxBank }: { isSandboxBank: boolean },
): Promise<void> {
  const { rows } = await client.query<{ time_zone: string }>(
    "select time_zone from organizations where id = $1",
    [organizationId],
  );
  const rendered = renderInvitation(
    { invitedBy: actor.name, role, expiresAt, invitationUrl: `${appUrl}${invitationHref(token)}` },
    { organizationName, timeZone: rows[0]?.time_zone ?? "UTC", isSandboxBank },
  );
  await client.query(
    `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html, status,
        created_at, due_at, good_until)
     values ($1, $2, 'INVITATION', 'EMAIL', null, $3, $4, $5, $6, 'QUEUED', $7, '-infinity', $8)`,
    [organizationId, newId(now), email, rendered.subject, rendered.text, rendered.html, now, expiresAt],
  );
}
