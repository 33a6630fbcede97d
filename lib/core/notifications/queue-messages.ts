import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import type { RenderedEmail } from "@/lib/core/notifications/render/message";
import type { Queryable } from "@/lib/platform/db/transaction";
import { newId } from "@/lib/platform/ids";

export interface OutgoingNotice {
  kind: DueNotice["kind"];
  /** What the message speaks of: shown in the history of each. */
  proposalIds: readonly string[];
  /** Who needs not be told: the one who decided. */
  exceptUserId: string | null;
  email: RenderedEmail;
  /** Null: not worth a text message. */
  sms: string | null;
}

interface RecipientRow {
  id: string;
  email: string;
  phone: string | null;
}

/** Queues a notice to every owner and co-owner: by email, and by SMS where the number is verified. */
export async function queueMessages(
  client: Queryable,
  notice: Pick<DueNotice, "organizationId" | "now">,
  outgoing: OutgoingNotice,
): Promise<void> {
  const { rows: recipients } = await client.query<RecipientRow>(
    `select u.id, u.email, case when u.phone_verified_at is not null then u.phone end as phone
       from memberships m join users u on u.id = m.user_id
      where m.organization_id = $1 and m.role in ('OWNER', 'CO_OWNER') and u.id is distinct from $2
      order by u.id limit 50`,
    [notice.organizationId, outgoing.exceptUserId],
  );
  for (const recipient of recipients) {
    await queueOne(client, notice, outgoing, {
      channel: "EMAIL",
      userId: recipient.id,
      address: recipient.email,
      ...outgoing.email,
    });
    if (recipient.phone === null || outgoing.sms === null) continue;
    await queueOne(client, notice, outgoing, {
      channel: "SMS",
      userId: recipient.id,
      address: recipient.phone,
      subject: null,
      text: outgoing.sms,
      html: null,
    });
  }
}

interface OutgoingMessage {
  channel: "EMAIL" | "SMS";
  userId: string;
  address: string;
  subject: string | null;
  text: string;
  html: string | null;
}

async function queueOne(
  client: Queryable,
  notice: Pick<DueNotice, "organizationId" | "now">,
  outgoing: OutgoingNotice,
  message: OutgoingMessage,
): Promise<void> {
  const id = newId(notice.now);
  await client.query(
    `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html, status,
        created_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'QUEUED', $10, '-infinity')`,
    [
      notice.organizationId,
      id,
      outgoing.kind,
      message.channel,
      message.userId,
      message.address,
      message.subject,
      message.text,
      message.html,
      notice.now,
    ],
  );
  await client.query(
    `insert into message_proposals (organization_id, proposal_id, message_id)
     select $1, proposal_id, $2 from unnest($3::uuid[]) proposal_id`,
    [notice.organizationId, id, outgoing.proposalIds],
  );
}
