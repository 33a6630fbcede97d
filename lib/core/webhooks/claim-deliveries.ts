import type { EventResourceType, EventType, WebhookEvent } from "@/lib/contract/webhooks";
import type { Queryable } from "@/lib/db/transaction";

export interface ClaimedDelivery {
  organizationId: string;
  endpointId: string;
  url: string;
  encryptedSecret: Buffer;
  event: StoredEvent;
  /** Earlier attempts of this round. */
  roundAttempts: number;
  place: QueuePlace;
}

/** The place of a delivery in its endpoint's queue. */
interface QueuePlace {
  /** As PostgreSQL writes it: a Date has no microseconds. */
  dueAt: string;
  eventId: string;
}

export interface ClaimLimits {
  /** Deliveries per claim. */
  total: number;
  /** Deliveries being sent to one endpoint at the same time, including those of `busy`. */
  perEndpoint: number;
  /** Deliveries to one endpoint being sent or recorded: this many are repeated if the process crashes. */
  unrecordedPerEndpoint: number;
  /** Both limits for an endpoint that only fails: enough to notice when it answers again. */
  perFailingEndpoint: number;
  leaseMs: number;
}

/** What a process is sending to one endpoint. */
export interface EndpointLoad {
  sending: number;
  /** Being sent, or answered but not recorded yet. */
  unrecorded: number;
  /** The look through its queue begins after this; null: at its beginning. */
  claimedTo: QueuePlace | null;
}

/** What a process is sending, and where its look through each queue begins. */
export interface Queues {
  /** By endpoint. */
  busy: ReadonlyMap<string, Readonly<EndpointLoad>>;
  /** Real time up to which the queues of all other endpoints were looked through; null: not at all. */
  lookedThrough: Date | null;
}

interface ClaimedRow extends Omit<ClaimedDelivery, "event" | "place"> {
  eventId: string;
  type: StoredEvent["type"];
  resourceType: StoredEvent["resourceType"];
  resourceId: string;
  createdAt: Date;
  dueAt: string;
}

/** Consecutive failures after which an endpoint is considered dead until it answers. */
const FAILURES_OF_A_DEAD_ENDPOINT = 10;

/**
 * Leases due deliveries, oldest first, up to the limits of each endpoint, so that thousands for a dead receiver do not
 * block others. Skips what another process leased.
 * @param realNow each organization's business time follows from it
 */
export async function claimDeliveries(
  pool: Queryable,
  realNow: Date,
  { busy, lookedThrough }: Queues,
  limits: ClaimLimits,
): Promise<ClaimedDelivery[]> {
  const { rows } = await pool.query<ClaimedRow>({
    name: "lease_deliveries",
    text: `
      select organization_id as "organizationId", endpoint_id as "endpointId", event_id as "eventId",
          round_attempts as "roundAttempts", url, sealed_secret as "encryptedSecret", type,
          resource_type as "resourceType", resource_id as "resourceId", created_at as "createdAt", due_at as "dueAt"
        from lease_deliveries($1)`,
    values: [
      JSON.stringify({
        ...limits,
        failuresOfADeadEndpoint: FAILURES_OF_A_DEAD_ENDPOINT,
        realNow,
        lookedThrough,
        busy: [...busy].map(([endpointId, { sending, unrecorded, claimedTo }]) => ({
          endpointId,
          sending,
          unrecorded,
          afterDue: claimedTo?.dueAt,
          afterEvent: claimedTo?.eventId,
        })),
      }),
    ],
  });
  return rows.map(({ eventId, dueAt, type, resourceType, resourceId, createdAt, ...delivery }) => ({
    ...delivery,
    place: { dueAt, eventId },
    event: { id: eventId, type, resourceType, resourceId, createdAt },
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
