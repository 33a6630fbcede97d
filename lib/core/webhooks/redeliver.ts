import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { endpointLookHref } from "@/lib/contract/hrefs";
import { EVENT_RETENTION_DAYS, type ReplayResult, type TestEventResult } from "@/lib/contract/webhooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { firstIdAt, newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Resends an event to an endpoint now, under its own id. A delivered or failed one starts a new round of the schedule; one
 * that waits for its next attempt keeps its place.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `INVALID_PARAMETERS` if the endpoint is unknown
 * or off, or the event is past its retention
 */
export async function redeliver(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  { endpointId, eventId }: { endpointId: string; eventId: string },
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "resend an event");
    const endpoint = await lockEndpoint(client, context, endpointId);
    if (endpoint.status === "DISABLED") {
      throw new AppError(
        "INVALID_PARAMETERS",
        "This endpoint is switched off. Switch it on to resend the event.",
      );
    }
    const { rowCount } = await client.query({
      name: "redeliver",
      // Does not touch the lease, so that a running attempt is not repeated.
      text: `update webhook_deliveries
                set status = 'PENDING', due_at = $4, delivered_at = null, resent_at = $4, resent_by = $5,
                    round_attempts = case when status = 'PENDING' then round_attempts else 0 end
              where organization_id = $1 and endpoint_id = $2 and event_id = $3`,
      values: [
        context.organizationId,
        endpoint.id,
        z.uuid().safeParse(eventId).data ?? null,
        context.now,
        context.actor.id,
      ],
    });
    if (rowCount === 0) {
      throw new AppError(
        "INVALID_PARAMETERS",
        `This event is no longer available. Events are kept for ${EVENT_RETENTION_DAYS} days.`,
      );
    }
  });
  services.wake(DELIVER_EVENTS);
}

const DAY_MS = 86_400_000;
/** Per call. */
export const REPLAYED_AT_MOST = 10_000;

/**
 * Resends now the events since a given time that have not arrived. Failed ones start a new round of the schedule; those
 * that wait for their next attempt keep their place. Oldest first, at most 10,000 per call.
 * @param input `since`: business time; a time before the retention means all events
 * @returns `REFUSED` for an endpoint that is off, and for a time in the future
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `INVALID_PARAMETERS` for an unknown endpoint
 */
export async function replayFailed(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  { endpointId, since }: { endpointId: string; since: Date },
): Promise<ReplayResult> {
  const result = await inTransaction(services.pool, async (client): Promise<ReplayResult> => {
    await requireDecider(client, context, "resend events");
    const endpoint = await lockEndpoint(client, context, endpointId);
    if (endpoint.status === "DISABLED") {
      return {
        kind: "REFUSED",
        message: "This endpoint is switched off. Switch it on to resend events.",
      };
    }
    // Negated, so that an invalid date is refused too.
    if (!(since.getTime() <= context.now.getTime())) {
      return { kind: "REFUSED", message: "Enter a time in the past." };
    }
    return replay(client, context, endpoint.id, since);
  });
  if (result.kind === "REPLAYED") services.wake(DELIVER_EVENTS);
  return result;
}

async function replay(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  endpointId: string,
  since: Date,
): Promise<ReplayResult> {
  const earliest = new Date(Math.max(since.getTime(), now.getTime() - EVENT_RETENTION_DAYS * DAY_MS));
  const { rows } = await client.query<{ count: number; hasMore: boolean }>({
    name: "replay_failed",
    text: REPLAY_FAILED,
    values: [organizationId, endpointId, firstIdAt(earliest), now, actor.id],
  });
  return { kind: "REPLAYED", count: rows[0]?.count ?? 0, hasMore: rows[0]?.hasMore ?? false };
}

function oldestThat(condition: string): string {
  return `(select event_id from webhook_deliveries
            where organization_id = $1 and endpoint_id = $2 and event_id >= $3 and ${condition}
            order by event_id limit ${REPLAYED_AT_MOST + 1})`;
}

/**
 * Skips what is already due: it is being sent or was requested before. Each half reads the partial index in event order, no
 * further than needed; "is true" keeps PostgreSQL from choosing the index by time, which has another order.
 */
const REPLAY_FAILED = `
  with failing as materialized (
    select event_id from (
      ${oldestThat("status = 'DEAD'")}
      union all
      ${oldestThat("status = 'PENDING' and attempts > 0 and (due_at > $4) is true")}) halves
    order by event_id limit ${REPLAYED_AT_MOST + 1}),
  resent as (
    update webhook_deliveries
       set status = 'PENDING', due_at = $4, resent_at = $4, resent_by = $5,
           round_attempts = case when status = 'PENDING' then round_attempts else 0 end
     where organization_id = $1 and endpoint_id = $2 and event_id = any (array(
       select event_id from failing order by event_id limit ${REPLAYED_AT_MOST}))
    returning 1)
  select (select count(*)::int from resent) as count,
      (select count(*) > ${REPLAYED_AT_MOST} from failing) as "hasMore"`;

const PER_MINUTE = 10;
const MINUTE_MS = 60_000;
/** The most deliveries of a minute that are searched for test events. */
const COUNTED = 20_000;
/** The most recent transfers that are searched for a live one. */
const LOOKED_AT = 1_000;

/**
 * Sends a test event to this endpoint only. It looks like a real one and names the organization's newest live transfer, so
 * that the receiver's `GET` of it works too.
 * @returns `REFUSED` for an endpoint that is off, and above 10 a minute
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `INVALID_PARAMETERS` for an unknown endpoint
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
      const message = `An endpoint gets at most ${PER_MINUTE} test events a minute. Wait a minute and try again.`;
      return { kind: "REFUSED", message };
    }
    const eventId = await writeTestEvent(client, context, endpoint.id);
    const look = { filter: "ALL", openedEventId: eventId, before: null } as const;
    return { kind: "SENT", eventId, href: endpointLookHref(endpoint.id, look) };
  });
  if (result.kind === "SENT") services.wake(DELIVER_EVENTS);
  return result;
}

/** Under the endpoint's lock, so that concurrent test events are counted. */
async function countLastMinute(
  client: Queryable,
  { organizationId, now }: Context<MemberActor>,
  endpointId: string,
): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: "count_test_events",
    // Looks up each event, because test events are so rare that PostgreSQL would scan the whole table for them.
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
    // Without a live transfer, the id does not exist.
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
