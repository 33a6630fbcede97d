import type { Pool } from "pg";

/** Deletes every message of the mailbox. */
export async function emptyMailbox(pool: Pool): Promise<void> {
  await pool.query("delete from mailbox_messages");
}
