import { randomBytes } from "node:crypto";
import { AppError } from "@/lib/contract/error";
import { REMEMBERED_RECEIPTS, type ReceiverMode } from "@/lib/contract/sandbox";
import { type WebhookEvent, webhookEventSchema } from "@/lib/contract/webhooks";
import { noteAction, requireDriver, type SandboxWorld } from "@/lib/core/sandbox/drive";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** Path of the receivers below the product's address. */
export const RECEIVERS_PATH = "/sandbox/receivers";

const TOKEN_BYTES = 16;
const TOKEN_PATTERN = /^[0-9a-f]{32}$/;

export function newReceiverToken(): string {
  return randomBytes(TOKEN_BYTES).toString("hex");
}

/** Whether a text has the form of a token. */
function isReceiverToken(text: string): boolean {
  return TOKEN_PATTERN.test(text);
}

export function receiverAddress(appUrl: string, token: string): string {
  return `${appUrl}${RECEIVERS_PATH}/${token}`;
}

const FAILS_EVERY = 3;

/** Response texts by status. */
export const RECEIVER_TEXTS: Readonly<Record<number, string>> = {
  410: "The receiver is gone for good.",
  500: "The receiver failed.",
  503: "The receiver is unavailable.",
};

/**
 * The receiver's response.
 * @param place of the delivery, from 1: determines which third it belongs to
 * @returns the status, or null for no response until the sender times out
 */
export function receiverStatus(mode: ReceiverMode, place: number): number | null {
  switch (mode) {
    case "OK":
      return 204;
    case "UNAVAILABLE":
      return 503;
    case "ERROR":
      return 500;
    case "GONE":
      return 410;
    case "SILENT":
      return null;
    case "FLAKY":
      return place % FAILS_EVERY === 0 ? 503 : 204;
  }
}

/**
 * Sets how the organization's webhook receiver responds, and opens it if there was none.
 * @throws AppError `ACCESS_DENIED`, also if webhooks may not go to this machine.
 */
export async function setReceiver(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  mode: ReceiverMode,
): Promise<void> {
  const { hasReceiver } = requireDriver(context, sandbox);
  if (!hasReceiver) {
    throw new AppError("ACCESS_DENIED", "The receiver is unavailable: webhooks may not go to this machine.");
  }
  await services.pool.query({
    name: "set_sandbox_receiver",
    text: `
      insert into sandbox_receivers (organization_id, token, mode, created_at) values ($1, $2, $3, $4)
      on conflict (organization_id) do update set mode = excluded.mode`,
    values: [context.organizationId, newReceiverToken(), mode, context.now],
  });
  await noteAction(services.pool, context, { kind: "RECEIVER_SET", mode });
}

/**
 * Redirects endpoints that send to the sandbox's receivers to this process: an earlier start may have used another
 * port, where nothing listens now.
 * @returns how many had another address
 */
export async function moveReceivers(services: Pick<Services, "pool" | "appUrl">): Promise<number> {
  // In a retried transaction: when several processes start at once, two may lock the same endpoints.
  return await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ moved: number }>({
      name: "move_sandbox_receivers",
      text: "select move_sandbox_receivers($1) as moved",
      values: [`${services.appUrl}${RECEIVERS_PATH}/`],
    });
    return rows[0]?.moved ?? 0;
  });
}

type ReceivedDelivery =
  /** No such receiver. */
  | { kind: "NO_RECEIVER" }
  | { kind: "NOT_AN_EVENT" }
  /** `status` null: no response until the sender times out. */
  | { kind: "RECEIVED"; status: number | null };

/**
 * Handles a delivery to an organization's sandbox receiver: counts and stores it. The receiver has no secret and
 * verifies nothing, so what it stores is unauthenticated.
 * @param body as sent
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

/** Only callers who know a receiver's address learn that a body is not an event. */
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

/** Counts a delivery and stores it over the one twenty before it. @returns null for an unknown token. */
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
