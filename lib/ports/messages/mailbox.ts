import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";

/** The mailbox is for reading, not for keeping. */
export const MAILBOX_CAPACITY = 500;

interface StoredMessage {
  channel: "EMAIL" | "SMS";
  recipient: string;
  subject: string | null;
  text: string;
  html: string | null;
}

/**
 * Stores a message in the mailbox and drops the oldest beyond MAILBOX_CAPACITY.
 * @returns the message's id
 */
export async function storeMessage(pool: Pool, message: StoredMessage, now: Date): Promise<string> {
  const id = uuidv7();
  await pool.query({
    name: "mailbox_store_message",
    // The delete sees the table as it was before the insert, so it leaves room for one. It locks only what it drops: with
    // the lock beside the offset, each email wrote a lock to all 500. Rows that a concurrent insert is deleting are
    // skipped, since two inserts must not wait for each other.
    text: `with stored as (
             insert into mailbox_messages (id, channel, recipient, subject, text, html, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)
           ), newest_to_drop as (
             select created_at, id from mailbox_messages
              order by created_at desc, id desc
             offset $8 limit 1
           )
           delete from mailbox_messages
            where id in (
              select m.id from mailbox_messages m
                join newest_to_drop n on (m.created_at, m.id) <= (n.created_at, n.id)
                 for update of m skip locked)`,
    values: [
      id,
      message.channel,
      message.recipient,
      message.subject,
      message.text,
      message.html,
      now,
      MAILBOX_CAPACITY - 1,
    ],
  });
  return id;
}

export interface MailboxMessage extends StoredMessage {
  id: string;
  createdAt: Date;
}

interface MessageRow extends StoredMessage {
  id: string;
  createdAt: Date;
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
    text: `select id, channel, recipient, subject, text, html, created_at as "createdAt"
             from mailbox_messages
            order by created_at desc, id desc
            limit $1`,
    values: [limit],
  });
  return rows.map(({ createdAt, ...message }) => ({ ...message, createdAt }));
}
