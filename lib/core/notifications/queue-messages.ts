import {
  type MessageChannel,
  NOTIFICATION_TOPICS,
  type NoticeKind,
  type NotificationTopic,
  notificationTopicSchema,
} from "@/lib/contract/notifications";
import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { RenderedEmail } from "@/lib/words/messages/email-layout";

export interface OutgoingNotice {
  kind: NoticeKind;
  /** Proposals that the message is about: it appears in the history of each. */
  proposalIds: readonly string[];
  /** The member who decided, who needs no message. */
  exceptUserId: string | null;
  email: RenderedEmail;
  /** Null: no text message. */
  sms: string | null;
}

/** `userId` null: every owner and co-owner. */
export type Addressed = Pick<DueNotice, "organizationId" | "userId" | "now">;

interface RecipientRow {
  user_id: string;
  channel: MessageChannel;
  recipient: string;
}

/**
 * Queues a notice to every owner and co-owner, or to the one person it concerns, by email and SMS according to the
 * topic's settings and the person's preferences; by SMS only to verified numbers.
 */
export async function queueMessages(
  client: Queryable,
  notice: Addressed,
  outgoing: OutgoingNotice,
): Promise<void> {
  const messages = (await findRecipients(client, notice, outgoing)).map((row) => ({
    ...row,
    id: newId(notice.now),
    subject: row.channel === "EMAIL" ? outgoing.email.subject : null,
    text: row.channel === "EMAIL" ? outgoing.email.text : (outgoing.sms ?? ""),
    html: row.channel === "EMAIL" ? outgoing.email.html : null,
  }));
  if (messages.length === 0) return;
  await client.query({
    name: "queue_messages",
    text: `
      insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, body_html, status,
          created_at, due_at)
        select $1, m.id, $2, m.channel, m.user_id, m.recipient, m.subject, m.text, m.html, 'QUEUED', $3, '-infinity'
          from jsonb_to_recordset($4) as m (id uuid, channel text, user_id uuid, recipient text, subject text, text text,
            html text)`,
    values: [notice.organizationId, outgoing.kind, notice.now, JSON.stringify(messages)],
  });
  await client.query({
    name: "queue_message_proposals",
    text: `
      insert into message_proposals (organization_id, proposal_id, message_id)
        select $1, p, m from unnest($2::uuid[]) p cross join unnest($3::uuid[]) m`,
    values: [notice.organizationId, outgoing.proposalIds, messages.map(({ id }) => id)],
  });
}

/** Settings that are always or never sent override stored preferences, however those came into the table. */
async function findRecipients(
  client: Queryable,
  notice: Addressed,
  outgoing: OutgoingNotice,
): Promise<RecipientRow[]> {
  const topic = topicOf(outgoing.kind);
  const { email, sms } = NOTIFICATION_TOPICS[topic];
  const { rows } = await client.query<RecipientRow>({
    name: "find_recipients",
    text: `
      select u.id as user_id, way.channel, way.recipient
        from memberships m
        join users u on u.id = m.user_id
        left join notification_preferences p
          on p.organization_id = m.organization_id and p.user_id = m.user_id and p.topic = $4
        cross join lateral (values
          ('EMAIL', u.email, $5, p.email),
          ('SMS', case when u.phone_verified_at is not null then u.phone end, $6, p.sms)
        ) as way (channel, recipient, setting, choice)
       where m.organization_id = $1 and u.id is distinct from $2
         and case when $3::uuid is null then m.role in ('OWNER', 'CO_OWNER') else u.id = $3 end
         and way.recipient is not null
         and case way.setting when 'ALWAYS' then true when 'NEVER' then false
               else coalesce(way.choice, way.setting = 'ON') end
       order by u.id, way.channel limit 100`,
    values: [
      notice.organizationId,
      outgoing.exceptUserId,
      notice.userId,
      topic,
      email,
      outgoing.sms === null ? "NEVER" : sms,
    ],
  });
  return rows;
}

/** @throws RangeError for a kind without a topic, which members could not turn off. */
function topicOf(kind: NoticeKind): NotificationTopic {
  const topic = notificationTopicSchema.options.find((one) => NOTIFICATION_TOPICS[one].kinds.includes(kind));
  if (topic === undefined) throw new RangeError(`There is no topic for ${kind}`);
  return topic;
}
