import { MESSAGE_RETENTION_DAYS } from "@/lib/contract/notifications";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Deletes messages past their retention. Messages about a proposal lose only their text and the provider's error,
 * because the proposal's history shows recipients and delivery. Queued messages stay. Handled notices of that age are
 * deleted too.
 * @returns how many rows were deleted or emptied, at most three times `limit`.
 */
export async function forgetMessages(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const values = [services.clock.now(), MESSAGE_RETENTION_DAYS, limit];
  const old = (isOfProposal: boolean) => `
    select m.organization_id, m.id from organizations o
      cross join lateral (
        select m.organization_id, m.id from messages m
         where m.organization_id = o.id and not m.is_forgotten and m.status <> 'QUEUED'
           and m.created_at < $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' - $2 * interval '1 day'
           and ${isOfProposal ? "" : "not "}exists (
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
    // The emptied ones left the partial index (is_forgotten), so it now holds only messages to delete.
    const deleted = await client.query({
      name: "forget_messages",
      text: `delete from messages where (organization_id, id) in (${old(false)})`,
      values,
    });
    const notices = await client.query({
      name: "forget_notices",
      // An id starts with its time.
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
