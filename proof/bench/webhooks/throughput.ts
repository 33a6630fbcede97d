import { randomUUID } from "node:crypto";
import { Agent } from "undici";
import { EVENT_ID_HEADER, SIGNATURE_HEADER } from "@/lib/contract/webhooks";
import { eventBody } from "@/lib/core/webhooks/claim-deliveries";
import { signDelivery } from "@/lib/core/webhooks/sign-delivery";
import { systemClock } from "@/lib/platform/clock";
import type { Receiver } from "@/proof/bench/webhooks/scene";
import type { Listener, WebhookScene } from "./scene";

/** Deliveries in a second, from the first arrival to the last. */
export interface DeliveryRates {
  endpoints: number;
  /** Already written and due at one moment, delivered and recorded by one process of the product. */
  sluicePerSecond: number;
  /** A bare loop that signs and posts the same bodies with the same concurrency, and records nothing. */
  barePerSecond: number;
}

/** The product's concurrency per endpoint (deliver-events.ts). */
const UNDER_WAY_PER_ENDPOINT = 32;
/** Until the rows are written and the product has polled in vain. */
const LEAD_MS = 3_000;

/** In turn, to the same receiver; the product's process is running and idle while the bare loop posts. */
export async function measureDeliveries(
  scene: WebhookScene,
  listener: Listener,
  receiver: Receiver,
  deliveries: number,
): Promise<DeliveryRates> {
  const endpoints = listener.endpointIds.length;
  const events = Math.ceil(deliveries / endpoints);
  const count = events * endpoints;
  // Connections, plans and compiled code are those of a warm process.
  await deliverBacklog(scene, listener, receiver, Math.ceil(events / 10));
  const seconds = await deliverBacklog(scene, listener, receiver, events);
  await postBare(listener, receiver, Math.ceil(count / 10));
  const bareSeconds = await postBare(listener, receiver, count);
  return { endpoints, sluicePerSecond: count / seconds, barePerSecond: count / bareSeconds };
}

/** Events that are already written and due at one moment. @returns seconds from the first arrival to the last */
export async function deliverBacklog(
  { superuser }: WebhookScene,
  { organizationId, endpointIds }: Listener,
  receiver: Receiver,
  events: number,
): Promise<number> {
  const now = systemClock.now();
  const arrived = receiver.expect(events * endpointIds.length);
  await superuser.query(
    `with events as (
       insert into webhook_events (organization_id, id, type, resource_type, resource_id, created_at)
         select $1, new_id($2), 'transfer.changed', 'transfer', gen_random_uuid(), $2 from generate_series(1, $3)
         returning id)
     insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
       select $1, endpoint_id, events.id, 'PENDING', $5 from events, unnest($4::uuid[]) endpoint_id`,
    [organizationId, now, events, endpointIds, new Date(now.getTime() + LEAD_MS)],
  );
  return await arrived;
}

/** The same headers, and bodies of the same length; each is signed when it leaves. */
export async function postBare(
  { endpointIds, secrets }: Listener,
  receiver: Receiver,
  count: number,
): Promise<number> {
  const agent = new Agent({ connections: UNDER_WAY_PER_ENDPOINT });
  const arrived = receiver.expect(count);
  let begun = 0;
  const post = async () => {
    while (begun < count) {
      const place = begun++ % endpointIds.length;
      const url = new URL(receiver.urls[place] ?? "");
      const id = randomUUID();
      const now = systemClock.now();
      const body = eventBody({
        id,
        type: "transfer.changed",
        resourceType: "transfer",
        resourceId: id,
        createdAt: now,
      });
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname,
        method: "POST",
        headers: {
          "content-type": "application/json",
          [EVENT_ID_HEADER]: id,
          [SIGNATURE_HEADER]: signDelivery(secrets[place] ?? "", body, now).header,
          "user-agent": "bench",
        },
        body,
      });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY_PER_ENDPOINT * endpointIds.length }, post));
  await agent.close();
  return await arrived;
}
