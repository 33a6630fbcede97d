import type { MessageKind } from "@/lib/contract/notifications";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

export interface MemberMessage {
  kind: Extract<MessageKind, "PHONE_CHANGED" | "PHONE_CODE">;
  channel: "EMAIL" | "SMS";
  recipient: string;
  /** Null for an SMS. */
  subject: string | null;
  text: string;
  /** Real time after which it must not leave any more, and its text is not kept; null where that is always. */
  goodUntil: Date | null;
}

/** Queues a message to the member who acts, in the transaction of what it tells of; wake SEND_MESSAGES after it. */
export async function queueToMember(
  client: Queryable,
  context: Context<MemberActor>,
  message: MemberMessage,
): Promise<void> {
  await client.query(
    `insert into messages (organization_id, id, kind, channel, user_id, recipient, subject, body_text, status, created_at,
        due_at, good_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'QUEUED', $9, '-infinity', $10)`,
    [
      context.organizationId,
      newId(context.now),
      message.kind,
      message.channel,
      context.actor.id,
      message.recipient,
      message.subject,
      message.text,
      context.now,
      message.goodUntil,
    ],
  );
}
