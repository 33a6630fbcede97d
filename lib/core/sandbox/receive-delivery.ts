import { REMEMBERED_RECEIPTS, type ReceiverMode } from "@/lib/contract/sandbox-receiver";
import { type WebhookEvent, webhookEventSchema } from "@/lib/contract/webhooks";
import { isReceiverToken } from "@/lib/core/sandbox/receiver-address";
import { receiverStatus } from "@/lib/core/sandbox/receiver-status";
import type { Services } from "@/lib/platform/services";

export type ReceivedDelivery =
  /** There is no such receiver. */
  | { kind: "NO_RECEIVER" }
  | { kind: "NOT_AN_EVENT" }
  /** `status` null: nothing is answered until the sender has given up. */
  | { kind: "RECEIVED"; status: number | null };

/**
 * A delivery to the sandbox's receiver of one organization, counted and remembered. It has no secret and verifies
 * nothing: what it remembers is what somebody who knew its address said.
 * @param body as it was sent
 */
export async function receiveDelivery(
  services: Pick<Services, "pool" | "clock">,
  token: string,
  body: string,
): Promise<ReceivedDelivery> {
  if (!isReceiverToken(token)) return { kind: "NO_RECEIVER" };
  const event = readEvent(body);
  if (!event) {
    return (await isReceiver(services, token)) ? { kind: "NOT_AN_EVENT" } : { kind: "NO_RECEIVER" };
  }
  const receipt = await rememberReceipt(services, token, event);
  if (!receipt) return { kind: "NO_RECEIVER" };
  return { kind: "RECEIVED", status: receiverStatus(receipt.mode, receipt.place) };
}

function readEvent(body: string) {
  try {
    return webhookEventSchema.safeParse(JSON.parse(body)).data ?? null;
  } catch {
    return null;
  }
}

/** So that what is no event is told of to those who know the address, and to nobody else. */
async function isReceiver(services: Pick<Services, "pool">, token: string): Promise<boolean> {
  const { rows } = await services.pool.query<{ mode: ReceiverMode }>({
    name: "is_sandbox_receiver",
    text: "select mode from sandbox_receivers where token = $1",
    values: [token],
  });
  return rows.length > 0;
}

interface Receipt {
  mode: ReceiverMode;
  place: number;
}

/** Counts a delivery and remembers it in the place of the one twenty before it. @returns null for an unknown token. */
async function rememberReceipt(
  services: Pick<Services, "pool" | "clock">,
  token: string,
  { id, type, resource }: Pick<WebhookEvent, "id" | "type" | "resource">,
): Promise<Receipt | null> {
  const { rows } = await services.pool.query<Receipt>({
    name: "remember_receipt",
    text: `
      with counted as (
        update sandbox_receivers r set received = r.received + 1 from organizations o
         where r.token = $1 and o.id = r.organization_id
        returning r.organization_id, r.mode, r.received as place,
          $2::timestamptz + o.clock_offset_ms * interval '1 millisecond' as at)
      insert into sandbox_receipts as s (organization_id, slot, place, mode, event_id, type, resource_type, resource_id,
          received_at)
        select c.organization_id, c.place % ${REMEMBERED_RECEIPTS}, c.place, c.mode, $3, $4, $5, $6, c.at from counted c
      on conflict (organization_id, slot) do update set place = excluded.place, mode = excluded.mode,
        event_id = excluded.event_id, type = excluded.type, resource_type = excluded.resource_type,
        resource_id = excluded.resource_id, received_at = excluded.received_at
      returning s.mode, s.place`,
    values: [token, services.clock.now(), id, type, resource.type, resource.id],
  });
  return rows[0] ?? null;
}
