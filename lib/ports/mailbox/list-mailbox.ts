import type { Pool } from "pg";
import { MAILBOX_CAPACITY, type StoredMessage } from "@/lib/ports/mailbox/store-message";

export interface MailboxMessage extends StoredMessage {
  id: string;
  createdAt: Date;
}

interface MessageRow extends StoredMessage {
  id: string;
  created_at: Date;
}

/**
 * The newest messages of the mailbox, newest first.
 * @param limit 1 to MAILBOX_CAPACITY
 */
export async function listMailbox(pool: Pool, limit: number): Promise<MailboxMessage[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAILBOX_CAPACITY) {
    throw new RangeError(`limit must be an integer from 1 to ${MAILBOX_CAPACITY}, not ${limit}`);
  }
  const { rows } = await pool.query<MessageRow>({
    name: "mailbox_list",
    text: `select id, channel, recipient, subject, text, html, created_at
             from mailbox_messages
            order by created_at desc, id desc
            limit $1`,
    values: [limit],
  });
  return rows.map(({ created_at: createdAt, ...message }) => ({ ...message, createdAt }));
}
