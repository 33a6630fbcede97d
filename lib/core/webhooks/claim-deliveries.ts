import type { EventResourceType, EventType, WebhookEvent } from "@/lib/contract/webhooks";
import type { Queryable } from "@/lib/db/transaction";

export interface ClaimedDelivery {
  organizationId: string;
  endpointId: string;
  url: string;
  sealedSecret: Buffer;
  event: StoredEvent;
  /** Made in this round before. */
  roundAttempts: number;
}

export interface ClaimLimits {
  /** Of this claim. */
  total: number;
  /** Deliveries that are being sent to one endpoint at the same time, those of `busy` included. */
  perEndpoint: number;
  /** Deliveries to one endpoint that are being sent or recorded: as many are sent twice when this process dies. */
  unrecordedPerEndpoint: number;
  /** Both for one that has only failed lately: it is asked, and not leaned on. */
  perFailingEndpoint: number;
  leaseMs: number;
}

/** What a process has under way to one endpoint. */
export interface EndpointLoad {
  sending: number;
  /** Being sent, or answered and not yet recorded. */
  unrecorded: number;
}

interface ClaimedRow {
  organization_id: string;
  endpoint_id: string;
  event_id: string;
  url: string;
  sealed_secret: Buffer;
  type: StoredEvent["type"];
  resource_type: StoredEvent["resourceType"];
  resource_id: string;
  created_at: Date;
  round_attempts: number;
}

/** In a row; then an endpoint is taken for dead until it answers again. */
const FAILURES_OF_A_DEAD_ENDPOINT = 10;

/**
 * Leases due deliveries, oldest first, to each endpoint no more than it has room for: thousands that wait for a dead
 * receiver keep nobody else's from leaving. What another process leased is passed over.
 * @param busy what this process has under way, by endpoint
 * @param realNow each organization has its own business time
 */
export async function claimDeliveries(
  pool: Queryable,
  realNow: Date,
  busy: ReadonlyMap<string, Readonly<EndpointLoad>>,
  limits: ClaimLimits,
): Promise<ClaimedDelivery[]> {
  const { rows } = await pool.query<ClaimedRow>({
    name: "claim_deliveries",
    text: "select * from claim_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    values: [
      realNow,
      [...busy.keys()],
      [...busy.values()].map(({ sending }) => sending),
      [...busy.values()].map(({ unrecorded }) => unrecorded),
      limits.perEndpoint,
      limits.perFailingEndpoint,
      limits.unrecordedPerEndpoint,
      FAILURES_OF_A_DEAD_ENDPOINT,
      limits.total,
      limits.leaseMs,
    ],
  });
  return rows.map((row) => ({
    organizationId: row.organization_id,
    endpointId: row.endpoint_id,
    url: row.url,
    sealedSecret: row.sealed_secret,
    roundAttempts: row.round_attempts,
    event: {
      id: row.event_id,
      type: row.type,
      resourceType: row.resource_type,
      resourceId: row.resource_id,
      createdAt: row.created_at,
    },
  }));
}

export interface StoredEvent {
  id: string;
  type: EventType;
  resourceType: EventResourceType;
  resourceId: string;
  createdAt: Date;
}

/** The body of an event's deliveries: identifiers only, and the same bytes in every attempt (specification, Part 6). */
export function eventBody(event: StoredEvent): string {
  const body: WebhookEvent = {
    id: event.id,
    type: event.type,
    resource: { type: event.resourceType, id: event.resourceId },
    created_at: event.createdAt.toISOString(),
  };
  return JSON.stringify(body);
}
