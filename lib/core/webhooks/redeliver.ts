import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { endpointLookHref } from "@/lib/contract/hrefs";
import type { ReplayResult, TestEventResult } from "@/lib/contract/views/webhooks-view";
import { EVENT_RETENTION_DAYS } from "@/lib/contract/webhooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { firstIdAt, newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Sends an event to an endpoint again, now, under its own id. What was delivered or given up begins a new round of the
 * schedule; what waits for its next try keeps its place.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such endpoint,
 * it is switched off, or the event is not kept any more
 */
export async function redeliver(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  { endpointId, eventId }: { endpointId: string; eventId: string },
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "send an event again");
    const endpoint = await lockEndpoint(client, context, endpointId);
    if (endpoint.status === "DISABLED") {
      throw new AppError(
        "INVALID_PARAMETERS",
        "This endpoint is switched off. Switch it on to send the event again.",
      );
    }
    const { rowCount } = await client.query({
      name: "redeliver",
      // A lease stays: an attempt that is under way at this moment is not made twice.
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
        `This event is not kept any more. Events are kept for ${EVENT_RETENTION_DAYS} days.`,
      );
    }
  });
  services.wake(DELIVER_EVENTS);
}

const DAY_MS = 86_400_000;
/** In one call. */
export const REPLAYED_AT_MOST = 10_000;

/**
 * Sends again, now, what has not arrived of events since a moment: what was given up begins a new round of the schedule,
 * what waits for its next try keeps its place. The oldest first, at most 10,000 a call; a further call takes the others.
 * @param input `since`: business time; earlier than events are kept means all of them
 * @returns `REFUSED` for an endpoint that is off, and for a moment in the future
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such endpoint
 */
export async function replayFailed(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  { endpointId, since }: { endpointId: string; since: Date },
): Promise<ReplayResult> {
  const result = await inTransaction(services.pool, async (client): Promise<ReplayResult> => {
    await requireDecider(client, context, "send events again");
    const endpoint = await lockEndpoint(client, context, endpointId);
    if (endpoint.status === "DISABLED") {
      return {
        kind: "REFUSED",
        message: "This endpoint is switched off. Switch it on to send events again.",
      };
    }
    // Also for a date that is none.
    if (!(since.getTime() <= context.now.getTime())) {
      return { kind: "REFUSED", message: "Enter a time that has passed." };
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
  const { rows } = await client.query<{ count: number; has_more: boolean }>({
    name: "replay_failed",
    text: REPLAY_FAILED,
    values: [organizationId, endpointId, firstIdAt(earliest), now, actor.id],
  });
  return { kind: "REPLAYED", count: rows[0]?.count ?? 0, hasMore: rows[0]?.has_more ?? false };
}

function oldestThat(condition: string): string {
  return `(select event_id from webhook_deliveries
            where organization_id = $1 and endpoint_id = $2 and event_id >= $3 and ${condition}
            order by event_id limit ${REPLAYED_AT_MOST + 1})`;
}

/**
 * What is due already is left alone: it is being sent, or was asked for before. Each half goes down the partial index, in
 * the order of events and no further than it needs; "is true" keeps the database from the index by time, which has another.
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
      (select count(*) > ${REPLAYED_AT_MOST} from failing) as has_more`;

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
