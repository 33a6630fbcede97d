import { EVENT_RETENTION_DAYS } from "@/lib/contract/webhooks";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Deletes what is past its retention: deliveries with their attempts, events, and daily figures that no page shows
 * anymore.
 * @returns how many events, deliveries and attempts were deleted, at most three times `limit`.
 */
export async function forgetEvents(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const values = [services.clock.now(), EVENT_RETENTION_DAYS, limit];
  // Ids start with their time, so this is below all ids of that moment.
  const tooOld = `first_id_at($1::timestamptz + o.clock_offset_ms * interval '1 millisecond' - $2 * interval '1 day')`;
  return await inTransaction(services.pool, async (client) => {
    const deliveries = await client.query({
      name: "forget_deliveries",
      text: `
        delete from webhook_deliveries where (organization_id, endpoint_id, event_id) in (
          select d.organization_id, d.endpoint_id, d.event_id
            from webhook_endpoints e join organizations o on o.id = e.organization_id
            cross join lateral (
              select w.* from webhook_deliveries w
               where w.organization_id = e.organization_id and w.endpoint_id = e.id and w.event_id < ${tooOld}
               limit $3) d
           limit $3)`,
      values,
    });
    const attempts = await client.query({
      name: "forget_attempts",
      // Separate from the deletion of deliveries, which may wait for an attempt being recorded: only a later statement
      // sees that attempt.
      text: `
        delete from webhook_attempts where (organization_id, endpoint_id, event_id, number) in (
          select a.organization_id, a.endpoint_id, a.event_id, a.number
            from webhook_endpoints e join organizations o on o.id = e.organization_id
            cross join lateral (
              select w.* from webhook_attempts w
               where w.organization_id = e.organization_id and w.endpoint_id = e.id and w.event_id < ${tooOld}
                 and not exists (select from webhook_deliveries d where d.organization_id = w.organization_id
                   and d.endpoint_id = w.endpoint_id and d.event_id = w.event_id)
               limit $3) a
           limit $3)`,
      values,
    });
    const events = await client.query({
      name: "forget_events",
      text: `
        delete from webhook_events where (organization_id, id) in (
          select v.organization_id, v.id from organizations o
            cross join lateral (
              select w.* from webhook_events w where w.organization_id = o.id and w.id < ${tooOld} limit $3) v
           limit $3)`,
      values,
    });
    await client.query({
      name: "forget_webhook_days",
      // One day more than pages show, because days depend on the organization's zone.
      text: `
        delete from webhook_days w using organizations o
         where o.id = w.organization_id
           and w.day < ($1::timestamptz + o.clock_offset_ms * interval '1 millisecond')::date - ($2::integer + 1)`,
      values: [services.clock.now(), EVENT_RETENTION_DAYS],
    });
    return [deliveries, attempts, events].reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
  });
}
