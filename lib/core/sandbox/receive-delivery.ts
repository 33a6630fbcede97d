import type { ReceiverMode } from "@/lib/contract/sandbox-receiver";
import { webhookEventSchema } from "@/lib/contract/webhooks";
import { isReceiverToken } from "@/lib/core/sandbox/receiver-address";
import { receiverStatus } from "@/lib/core/sandbox/receiver-status";
import { rememberReceipt } from "@/lib/core/sandbox/remember-receipt";
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
