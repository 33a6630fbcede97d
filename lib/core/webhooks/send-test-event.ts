import { endpointLookHref } from "@/lib/contract/endpoint-hrefs";
import type { TestEventResult } from "@/lib/contract/views/webhooks-view";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { firstIdAt, newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

const PER_MINUTE = 10;
const MINUTE_MS = 60_000;
/** Of a minute, the last so many deliveries are looked at. */
const COUNTED = 20_000;
/** Among the last so many transfers one is looked for that is no simulation. */
const LOOKED_AT = 1_000;

/**
 * Sends one event to this endpoint alone. It is like any other, so that what receives it is tested and not only what
 * answers: it tells of the organization's newest transfer, which the receiver can read.
 * @returns `REFUSED` for an endpoint that is off, and beyond 10 a minute
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such endpoint
 */
export async function sendTestEvent(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  endpointId: string,
): Promise<TestEventResult> {
  const result = await inTransaction(services.pool, async (client): Promise<TestEventResult> => {
    await requireDecider(client, context, "send a test event");
    const endpoint = await lockEndpoint(client, context, endpointId);
    if (endpoint.status === "DISABLED") {
      return {
        kind: "REFUSED",
        message: "This endpoint is switched off. Switch it on to send it a test event.",
      };
    }
    if ((await countLastMinute(client, context, endpoint.id)) >= PER_MINUTE) {
      const message = `An endpoint gets at most ${PER_MINUTE} test events a minute. Wait a minute, and send the next one.`;
      return { kind: "REFUSED", message };
    }
    const eventId = await writeTestEvent(client, context, endpoint.id);
    const look = { filter: "ALL", openedEventId: eventId, before: null } as const;
    return { kind: "SENT", eventId, href: endpointLookHref(endpoint.id, look) };
  });
  if (result.kind === "SENT") services.wake(DELIVER_EVENTS);
  return result;
}

/** Under the endpoint's lock, so that two at once are both counted. */
async function countLastMinute(
  client: Queryable,
  { organizationId, now }: Context<MemberActor>,
  endpointId: string,
): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: "count_test_events",
    // One by one: test events are so rare that the database would look for them in the table's whole length.
    text: `
      select count(*)::int as count
        from (select event_id from webhook_deliveries
               where organization_id = $1 and endpoint_id = $2 and event_id >= $3
               order by event_id desc limit ${COUNTED}) d
        cross join lateral (
          select from webhook_events v where v.organization_id = $1 and v.id = d.event_id and v.is_test limit 1) test`,
    values: [organizationId, endpointId, firstIdAt(new Date(now.getTime() - MINUTE_MS))],
  });
  return rows[0]?.count ?? 0;
}

async function writeTestEvent(
  client: Queryable,
  { organizationId, now }: Context<MemberActor>,
  endpointId: string,
): Promise<string> {
  const eventId = newId(now);
  await client.query({
    name: "write_test_event",
    // Where there was no transfer yet, the id is one that nothing has.
    text: `
      with newest as (
        select last.id from (
          select id, execution_mode from transfers where organization_id = $1 order by id desc limit ${LOOKED_AT}) last
         where last.execution_mode = 'LIVE' order by last.id desc limit 1),
      event as (
        insert into webhook_events (organization_id, id, type, resource_type, resource_id, created_at, is_test)
          values ($1, $3, 'transfer.changed', 'transfer', coalesce((select id from newest), $5), $4, true))
      insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
        values ($1, $2, $3, 'PENDING', $4)`,
    values: [organizationId, endpointId, eventId, now, newId(now)],
  });
  return eventId;
}
