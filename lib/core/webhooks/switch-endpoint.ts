import type { EndpointChange } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
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

/**
 * Sends nothing to an endpoint until it is switched on again. What happens meanwhile waits for it, as long as events
 * are kept. One that is off stays as it is, with who or what switched it off.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such endpoint
 */
export async function switchOffEndpoint(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  endpointId: string,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "switch off an endpoint");
    const endpoint = await lockEndpoint(client, context, endpointId);
    if (endpoint.status === "DISABLED") return;
    await client.query({
      name: "switch_off_webhook_endpoint",
      text: `update webhook_endpoints
                set status = 'DISABLED', disabled_at = $3, disabled_because = 'MEMBER', disabled_by = $4
              where organization_id = $1 and id = $2`,
      values: [context.organizationId, endpoint.id, context.now, context.actor.id],
    });
    await recordChange(client, context, {
      kind: "ENDPOINT",
      subject: endpoint.url,
      before: null,
      after: "OFF" satisfies EndpointChange,
    });
  });
}

/**
 * Deletes an endpoint for good, with its secret. What it still had to be sent never leaves; of an attempt that is under
 * way the answer is recorded, and nothing follows from it. The endpoint that it was to replace stays as it is, and so
 * does the one that was to replace it.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such endpoint;
 * NotConfirmed without presence: deleting silences whoever watches, and drops what waits.
 */
export async function deleteEndpoint(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  endpointId: string,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "delete an endpoint");
    await requirePresence(client, context.actor, services.clock.now());
    const { url } = await lockEndpoint(client, context, endpointId);
    await client.query({
      name: "delete_webhook_endpoint",
      text: `update webhook_endpoints set status = 'DELETED', sealed_secret = null, deleted_at = $3, deleted_by = $4
              where organization_id = $1 and id = $2`,
      values: [context.organizationId, endpointId, context.now, context.actor.id],
    });
    await recordChange(client, context, {
      kind: "ENDPOINT",
      subject: url,
      before: null,
      after: "DELETED" satisfies EndpointChange,
    });
  });
}
