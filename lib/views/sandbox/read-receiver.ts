import { REMEMBERED_RECEIPTS, type ReceiverMode } from "@/lib/contract/sandbox";
import type { EventResourceType, EventType } from "@/lib/contract/webhooks";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import { receiverAddress, receiverStatus } from "@/lib/core/sandbox/receiver";
import type { Services } from "@/lib/platform/services";
import type { Reading } from "@/lib/views/reading";

/** The receiver of webhooks. Null in `address` and `mode` until a member opens it. */
export interface SandboxReceiverView {
  address: string | null;
  mode: ReceiverMode | null;
  /** The page of the endpoint that sends there; null without one. */
  endpointHref: string | null;
  /** Where to create one with this address filled in. */
  newEndpointHref: string | null;
  /** The last ones, newest first. */
  receipts: SandboxReceiptView[];
}

const ENDPOINTS_PATH = "/settings/webhooks";
const NONE_YET: SandboxReceiverView = {
  address: null,
  mode: null,
  endpointHref: null,
  newEndpointHref: null,
  receipts: [],
};

/** The organization's webhook receiver with its latest deliveries. Null if webhooks may not go to this machine. */
export async function readReceiver(
  { services, context: { organizationId } }: Reading<"pool" | "appUrl">,
  { hasReceiver }: SandboxWorld,
): Promise<SandboxReceiverView | null> {
  if (!hasReceiver) return null;
  const { rows } = await services.pool.query<{ token: string; mode: ReceiverMode }>({
    name: "read_sandbox_receiver",
    text: "select token, mode from sandbox_receivers where organization_id = $1",
    values: [organizationId],
  });
  const receiver = rows[0];
  if (!receiver) return NONE_YET;
  const address = receiverAddress(services.appUrl, receiver.token);
  const [endpointId, receipts] = await Promise.all([
    findEndpoint(services, organizationId, address),
    readReceipts(services, organizationId),
  ]);
  return {
    address,
    mode: receiver.mode,
    endpointHref: endpointId === null ? null : `${ENDPOINTS_PATH}/${endpointId}`,
    newEndpointHref: `${ENDPOINTS_PATH}/new?${new URLSearchParams({ url: address })}`,
    receipts,
  };
}

/** The newest endpoint that sends there. */
async function findEndpoint(
  services: Pick<Services, "pool">,
  organizationId: string,
  address: string,
): Promise<string | null> {
  const { rows } = await services.pool.query<{ id: string }>({
    name: "find_receiver_endpoint",
    text: `select id from webhook_endpoints where organization_id = $1 and url = $2 and status <> 'DELETED'
            order by id desc limit 1`,
    values: [organizationId, address],
  });
  return rows[0]?.id ?? null;
}

interface ReceiptRow {
  place: number;
  mode: ReceiverMode;
  eventId: string;
  type: EventType;
  resourceType: EventResourceType;
  resourceId: string;
  receivedAt: Date;
}

async function readReceipts(services: Pick<Services, "pool">, organizationId: string) {
  const { rows } = await services.pool.query<ReceiptRow>({
    name: "read_sandbox_receipts",
    text: `select place, mode, event_id as "eventId", type, resource_type as "resourceType",
    resource_id as "resourceId", received_at as "receivedAt" from sandbox_receipts
            where organization_id = $1 order by place desc limit ${REMEMBERED_RECEIPTS}`,
    values: [organizationId],
  });
  return rows.map((row) => ({
    /** From 1, in the order in which they came. */
    place: row.place,
    at: row.receivedAt.toISOString(),
    eventId: row.eventId,
    type: row.type,
    resource: { type: row.resourceType, id: row.resourceId },
    /** Its answer; null: none until the sender timed out. */
    status: receiverStatus(row.mode, row.place),
  }));
}

/** One delivery to the webhook receiver. */
export type SandboxReceiptView = Awaited<ReturnType<typeof readReceipts>>[number];
