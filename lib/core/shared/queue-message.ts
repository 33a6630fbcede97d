import type { MessageChannel, MessageKind } from "@/lib/contract/notifications";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/email-layout";

interface PersonMessage {
  kind: "SIGN_UP_CODE" | "SIGN_UP_KNOWN" | "PASSWORD_RESET" | "PASSWORD_CHANGED";
  /** Null: no one; costs the same and writes nothing. */
  recipient: string | null;
  email: RenderedEmail;
  /** Real time until which it may be sent. Its text is never kept. */
  goodUntil: Date;
}

/**
 * Queues an email to a person, who may belong to no organization, in the transaction that it reports; wake SEND_MESSAGES
 * after it.
 * @param now real time
 */
export async function queueToPerson(client: Queryable, message: PersonMessage, now: Date): Promise<void> {
  const { kind, recipient, email, goodUntil } = message;
  await client.query({
    name: "queue_to_person",
    text: `insert into person_messages (id, kind, recipient, subject, body_text, body_html, status, created_at, due_at,
             good_until)
           select $1::uuid, $2, $3, $4, $5, $6, 'QUEUED', $7::timestamptz, $7::timestamptz, $8::timestamptz
            where $3::text is not null`,
    values: [newId(now), kind, recipient, email.subject, email.text, email.html, now, goodUntil],
  });
}

/** Common to all emails to people: the server's sender name is that of its first organization. */
export async function readPersonSetting(
  services: Pick<Services, "pool">,
  isSandboxBank: boolean,
): Promise<MessageSetting> {
  const organizationName = (await readHostName(services)) ?? "a new server";
  return { organizationName, timeZone: "UTC", isSandboxBank };
}

interface MemberMessage {
  kind: Extract<MessageKind, "PHONE_CHANGED" | "PHONE_CODE">;
  channel: "EMAIL" | "SMS";
  recipient: string;
  /** Null for an SMS. */
  subject: string | null;
  text: string;
  /** Real time until which it may be sent, after which its text is deleted; null: no limit. */
  goodUntil: Date | null;
}

/** Queues a message to the acting member, in the transaction that it reports; wake SEND_MESSAGES after it. */
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

/** Longer numbers show four digits; for shorter ones two are enough. */
const SHORT_NUMBER = 10;

/** `+1 ••• ••• 0131`, `+49 ••• ••• 2231`: enough to recognize your own number, too little to call it. */
export function maskPhone(phone: string): string {
  const digits = phone.replace(/^\+/, "");
  if (digits.length <= SHORT_NUMBER) return `+•• ••• ${digits.slice(-2)}`;
  // Only North America and Russia have a one-digit code; the first two digits of a three-digit code name a region.
  const code = /^[17]/.test(digits) ? digits.slice(0, 1) : digits.slice(0, 2);
  return `+${code} ••• ••• ${digits.slice(-4)}`;
}

/** `m•••@northwind.example` */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${at > 0 ? email.slice(at) : ""}`;
}

/** Devices are stored by the names of browser and system, which need no mask. */
export function maskRecipient(channel: MessageChannel, recipient: string): string {
  if (channel === "PUSH") return recipient;
  return channel === "EMAIL" ? maskEmail(recipient) : maskPhone(recipient);
}

/** A provider's error without the address, which providers tend to repeat. */
export function maskProblem(problem: string, channel: MessageChannel, recipient: string): string {
  const masked = maskRecipient(channel, recipient);
  const bare = channel === "SMS" ? recipient.replace(/^\+/, "") : recipient;
  const pattern = bare.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return problem.replaceAll(new RegExp(channel === "SMS" ? `\\+?${pattern}` : pattern, "gi"), () => masked);
}

/** The first organization, which runs this server; its name is shown on the sign-in page. Null before setup. */
export async function readHostName(services: Pick<Services, "pool">): Promise<string | null> {
  const { rows } = await services.pool.query<{ name: string }>(
    "select name from organizations order by created_at, id limit 1",
  );
  return rows[0]?.name ?? null;
}
