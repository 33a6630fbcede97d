import type { StoredEvent } from "@/lib/core/webhooks/event-body";
import type { Queryable } from "@/lib/platform/db/transaction";

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
    text: `
      with turns as materialized (
        select e.organization_id, e.id, e.url, e.sealed_secret,
            $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' as business_now,
            case when e.consecutive_failures >= ${FAILURES_OF_A_DEAD_ENDPOINT}
                 then $5::integer - coalesce(b.unrecorded, 0)
                 else least($4::integer - coalesce(b.sending, 0), $9::integer - coalesce(b.unrecorded, 0)) end as room
          from webhook_endpoints e join organizations o on o.id = e.organization_id
          left join unnest($2::uuid[], $3::integer[], $8::integer[]) as b (endpoint_id, sending, unrecorded)
            on b.endpoint_id = e.id
         where e.status = 'ENABLED'),
      due as materialized (
        select d.organization_id, d.endpoint_id, d.event_id, t.url, t.sealed_secret
          from (select * from turns where room > 0 order by room desc) t
          cross join lateral (
            select w.organization_id, w.endpoint_id, w.event_id from webhook_deliveries w
             where w.organization_id = t.organization_id and w.endpoint_id = t.id and w.status = 'PENDING'
               and w.due_at <= t.business_now and (w.leased_until is null or w.leased_until <= $1)
             order by w.due_at, w.event_id limit t.room
             for update skip locked) d
         limit $6),
      leased as (
        update webhook_deliveries w set leased_until = $1::timestamptz + $7 * interval '1 millisecond'
          from due
         where w.organization_id = due.organization_id and w.endpoint_id = due.endpoint_id and w.event_id = due.event_id
        returning w.organization_id, w.endpoint_id, w.event_id, w.round_attempts, due.url, due.sealed_secret)
      select l.*, e.type, e.resource_type, e.resource_id, e.created_at
        from leased l join webhook_events e on e.organization_id = l.organization_id and e.id = l.event_id
       order by l.event_id`,
    values: [
      realNow,
      [...busy.keys()],
      [...busy.values()].map(({ sending }) => sending),
      limits.perEndpoint,
      limits.perFailingEndpoint,
      limits.total,
      limits.leaseMs,
      [...busy.values()].map(({ unrecorded }) => unrecorded),
      limits.unrecordedPerEndpoint,
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
