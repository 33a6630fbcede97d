import type { EndpointChange } from "@/lib/contract/organization";
import type { AskedEventType } from "@/lib/contract/webhooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Switches an endpoint on, whether a member or Sluice switched it off. Resets its failures, sends what waited, and restarts
 * interrupted schedules.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `INVALID_PARAMETERS` for an unknown endpoint
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
    await restartRounds(client, context, endpoint.id);
  });
  services.wake(DELIVER_EVENTS);
}

/** Untried deliveries are due already. */
async function restartRounds(
  client: Queryable,
  { organizationId, now }: Context<MemberActor>,
  endpointId: string,
): Promise<void> {
  await client.query({
    name: "restart_delivery_rounds",
    text: `update webhook_deliveries set due_at = $3, round_attempts = 0
            where organization_id = $1 and endpoint_id = $2 and status = 'PENDING' and attempts > 0
              and (round_attempts > 0 or due_at > $3)`,
    values: [organizationId, endpointId, now],
  });
}

/**
 * Switches an endpoint off. Events wait for it as long as they are kept. One that is already off keeps its reason.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `INVALID_PARAMETERS` for an unknown endpoint
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
 * Changes which events an endpoint gets besides those of every endpoint, from now on. One that will replace it gets the
 * same.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `INVALID_PARAMETERS` for an unknown endpoint
 */
export async function chooseEndpointEvents(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { endpointId, askedEvents }: { endpointId: string; askedEvents: readonly AskedEventType[] },
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "choose the events of an endpoint");
    const endpoint = await lockEndpoint(client, context, endpointId);
    await client.query({
      name: "choose_webhook_events",
      text: `update webhook_endpoints set asked_events = $3
              where organization_id = $1 and (id = $2 or replaces_id = $2) and status <> 'DELETED'`,
      values: [context.organizationId, endpoint.id, askedEvents],
    });
    await recordChange(client, context, {
      kind: "ENDPOINT",
      subject: endpoint.url,
      before: null,
      after: "EVENTS" satisfies EndpointChange,
    });
  });
}

/**
 * Deletes an endpoint for good, with its secret. Its waiting deliveries are never sent; the response of a running attempt
 * is recorded without effect. An endpoint that it would replace, or that would replace it, is unchanged.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `INVALID_PARAMETERS` for an unknown endpoint;
 * NotConfirmed without presence: deleting silences a receiver and drops its waiting events.
 */
export async function deleteEndpoint(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  endpointId: string,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "delete an endpoint");
    await requirePresence(client, context.actor, services.clock.now(), `DELETE_ENDPOINT:${endpointId}`);
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
