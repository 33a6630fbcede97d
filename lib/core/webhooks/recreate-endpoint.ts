import type { PoolClient } from "pg";
import { endpointHref } from "@/lib/contract/endpoint-hrefs";
import type { EndpointChange } from "@/lib/contract/organization";
import type { NewEndpointResult } from "@/lib/contract/views/webhooks-view";
import { MAXIMUM_ENDPOINTS } from "@/lib/contract/webhooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { type LockedEndpoint, lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import { lockEndpoints, NO_ROOM, writeEndpoint } from "@/lib/core/webhooks/write-endpoint";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * A new secret without a gap: makes a second endpoint at the same address (specification, Part 6, "To rotate, delete and
 * recreate the endpoint"). Both are sent every event under the same id, each signed with its own secret. The first time
 * that the new one succeeds the old one goes, and what it still had to send is handed on (`take_endpoint_over`).
 * @returns `REFUSED` where a replacement waits already, this is one that waits, or there are too many
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such endpoint;
 * NotConfirmed without presence: the secret lets its holder forge events.
 */
export async function recreateEndpoint(
  services: Pick<Services, "pool" | "wake" | "clock">,
  setting: Pick<WebhookSetting, "secrets">,
  context: Context<MemberActor>,
  endpointId: string,
): Promise<NewEndpointResult> {
  const result = await inTransaction(services.pool, async (client): Promise<NewEndpointResult> => {
    await requireDecider(client, context, "recreate an endpoint");
    await requirePresence(client, context.actor, services.clock.now());
    const existing = await lockEndpoints(client, context);
    const old = await lockEndpoint(client, context, endpointId);
    const message = refusal(old, existing.length);
    if (message !== null) return { kind: "REFUSED", message };
    const made = await writeEndpoint(client, setting.secrets, context, { url: old.url, replacesId: old.id });
    if (old.status === "DISABLED") await takeWaiting(client, context, old.id, made.id);
    await recordChange(client, context, {
      kind: "ENDPOINT",
      subject: old.url,
      before: null,
      after: "RECREATED" satisfies EndpointChange,
    });
    return { kind: "CREATED", href: endpointHref(made.id), url: old.url, ...made };
  });
  if (result.kind === "CREATED") services.wake(DELIVER_EVENTS);
  return result;
}

function refusal(old: LockedEndpoint, existingCount: number): string | null {
  if (old.replacedById !== null) {
    return "A new endpoint for this address waits already to take this one's place. If its secret is lost, delete that one, and recreate this one again.";
  }
  if (old.waitsForId !== null) {
    return "This endpoint has yet to take another one's place. If its secret is lost, delete it, and recreate the first one.";
  }
  return existingCount >= MAXIMUM_ENDPOINTS ? NO_ROOM : null;
}

/** At once; more is handed on with each success. */
const TAKEN = 10_000;

/** An endpoint that is off sends nothing more: were the new one to wait for its own first event, what waits would too. */
async function takeWaiting(
  client: PoolClient,
  { organizationId, now }: Context<MemberActor>,
  oldId: string,
  newId: string,
): Promise<void> {
  await client.query({
    name: "take_waiting_deliveries",
    text: `insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
           select $1, $3, event_id, 'PENDING', $4 from webhook_deliveries
            where organization_id = $1 and endpoint_id = $2 and status = 'PENDING'
            order by due_at, event_id limit ${TAKEN}`,
    values: [organizationId, oldId, newId, now],
  });
}
