import type { EndpointChange } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Sends to an endpoint again, whoever or whatever switched it off. Its failures are forgotten, what waited meanwhile
 * leaves now, and what was in the midst of its schedule has the whole of it before it.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such endpoint
 */
export async function switchOnEndpoint(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  endpointId: string,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "switch on an endpoint");
    const endpoint = await lockEndpoint(client, context, endpointId);
    if (endpoint.status === "ENABLED") return;
    await client.query({
      name: "switch_on_webhook_endpoint",
      text: `update webhook_endpoints
                set status = 'ENABLED', disabled_at = null, disabled_because = null, disabled_by = null,
                    failing_since = null, consecutive_failures = 0
              where organization_id = $1 and id = $2`,
      values: [context.organizationId, endpoint.id],
    });
    await recordChange(client, context, {
      kind: "ENDPOINT",
      subject: endpoint.url,
      before: null,
      after: "ON" satisfies EndpointChange,
    });
    await beginRoundsAnew(client, context, endpoint.id);
  });
  services.wake(DELIVER_EVENTS);
}

/** What was never tried is due since it was made. */
async function beginRoundsAnew(
  client: Queryable,
  { organizationId, now }: Context<MemberActor>,
  endpointId: string,
): Promise<void> {
  await client.query({
    name: "begin_delivery_rounds_anew",
    text: `update webhook_deliveries set due_at = $3, round_attempts = 0
            where organization_id = $1 and endpoint_id = $2 and status = 'PENDING' and attempts > 0
              and (round_attempts > 0 or due_at > $3)`,
    values: [organizationId, endpointId, now],
  });
}
