import { MESSAGE_RETENTION_DAYS } from "@/lib/contract/notifications";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Deletes messages that are older than the log, so that it does not grow without bound. Those that told of a proposal
 * lose their text and what the provider said, and stay: its history tells who was told and whether it arrived. What has
 * still to be sent stays as it is. Notices of that age go too; their messages have told what they had to.
 * @returns how many went or were emptied, at most three times `limit`.
 */
export async function forgetMessages(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const values = [services.clock.now(), MESSAGE_RETENTION_DAYS, limit];
  const old = (isTold: boolean) => `
    select m.organization_id, m.id from organizations o
      cross join lateral (
        select m.organization_id, m.id from messages m
         where m.organization_id = o.id and not m.is_forgotten and m.status <> 'QUEUED'
           and m.created_at < $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' - $2 * interval '1 day'
           and ${isTold ? "" : "not "}exists (
             select from message_proposals mp where mp.organization_id = m.organization_id and mp.message_id = m.id)
         limit $3) m
     limit $3`;
  return await inTransaction(services.pool, async (client) => {
    const emptied = await client.query({
      name: "forget_texts_of_messages",
      text: `update messages set is_forgotten = true, body_text = '', body_html = null, subject = null, last_error = null
              where (organization_id, id) in (${old(true)})`,
      values,
    });
    // What is left of that age in the index is what nothing tells of.
    const deleted = await client.query({
      name: "forget_messages",
      text: `delete from messages where (organization_id, id) in (${old(false)})`,
      values,
    });
    const notices = await client.query({
      name: "forget_notices",
      // An id begins with its time.
      text: `
        delete from notices where (organization_id, id) in (
          select n.organization_id, n.id from organizations o
            cross join lateral (
              select w.organization_id, w.id from notices w
               where w.organization_id = o.id and w.handled_at is not null
                 and w.id < first_id_at($1::timestamptz + o.clock_offset_ms * interval '1 millisecond' - $2 * interval '1 day')
               limit $3) n
           limit $3)`,
      values,
    });
    return (emptied.rowCount ?? 0) + (deleted.rowCount ?? 0) + (notices.rowCount ?? 0);
  });
}
