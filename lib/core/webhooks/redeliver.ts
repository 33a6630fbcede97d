import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { EVENT_RETENTION_DAYS } from "@/lib/contract/webhooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import { inTransaction } from "@/lib/db/transaction";
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
