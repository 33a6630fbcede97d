import { readHostName } from "@/lib/core/shared/read-host-name";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";

export interface PersonMessage {
  kind: "SIGN_UP_CODE" | "SIGN_UP_KNOWN" | "PASSWORD_RESET" | "PASSWORD_CHANGED";
  /** Null: nobody, which costs as much and writes nothing. */
  recipient: string | null;
  email: RenderedEmail;
  /** Real time after which it must not leave any more. Its text is not kept in any case. */
  goodUntil: Date;
}

/**
 * Queues an email to a person, who may belong to no organization, in the transaction of what it tells of; wake
 * SEND_MESSAGES after it.
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

/** What emails to people have in common: they speak for the server, which bears the name of its first organization. */
export async function readPersonSetting(
  services: Pick<Services, "pool">,
  isSandboxBank: boolean,
): Promise<MessageSetting> {
  const organizationName = (await readHostName(services)) ?? "a new server";
  return { organizationName, timeZone: "UTC", isSandboxBank };
}
