import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import { renderMemberReset } from "@/lib/words/messages/sign-in-messages";

interface ResetNotice {
  name: string;
  email: string;
  owners: { organizationId: string; userId: string; email: string }[];
}

const MEMBERS_HREF = "/settings/members";

/**
 * Queues an email to every owner and co-owner: the operator reset a member's sign-in.
 * @param now real time
 */
export async function notifyOfReset(
  client: Queryable,
  reset: ResetNotice,
  { appUrl, isSandboxBank, now }: Pick<Services, "appUrl"> & { isSandboxBank: boolean; now: Date },
): Promise<void> {
  const { rows } = await client.query<{ id: string; name: string; timeZone: string }>(
    `select id, name, time_zone as "timeZone" from organizations where id = any ($1)`,
    [reset.owners.map(({ organizationId }) => organizationId)],
  );
  const facts = { name: reset.name, email: reset.email, membersUrl: `${appUrl}${MEMBERS_HREF}` };
  for (const owner of reset.owners) {
    const organization = rows.find(({ id }) => id === owner.organizationId);
    if (!organization) continue;
    const { subject, text, html } = renderMemberReset(facts, {
      organizationName: organization.name,
      timeZone: organization.timeZone,
      isSandboxBank,
    });
    await client.query(
      `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html, status,
          created_at, due_at)
       select o.id, $2, 'MEMBER_RESET', 'EMAIL', $3, $4, $5, $6, $7, 'QUEUED',
          $8::timestamptz + o.clock_offset_ms * interval '1 millisecond', '-infinity'
         from organizations o where o.id = $1`,
      [owner.organizationId, newId(now), owner.userId, owner.email, subject, text, html, now],
    );
  }
}
