import type { ReplayResult } from "@/lib/contract/views/webhooks-view";
import { EVENT_RETENTION_DAYS } from "@/lib/contract/webhooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { firstIdAt } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

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
