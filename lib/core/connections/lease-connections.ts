import type { Services } from "@/lib/platform/services";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";

/** A connection that is this worker's to refresh, until the lease ends. */
export interface LeasedConnection {
  organizationId: string;
  id: string;
  providerItemId: string;
  sealedAccessToken: Buffer | null;
  cursor: string | null;
  attempts: number;
  /** Business time. */
  connectedAt: Date;
  leasedUntil: Date;
  clockOffsetMs: number;
}

/** Longer than the provider's time-outs together may take. */
const LEASE_MS = 5 * 60_000;
/** Organizations whose clock was moved: a handful in a sandbox. */
const MAX_MOVED_CLOCKS = 1_000;

/**
 * Takes connections of the configured provider that are due, the longest due first, and commits that before anybody asks the provider. Business
 * time is never behind real time: what is due by real time is due everywhere; organizations with a moved clock may have
 * more, and are looked at one by one.
 */
export async function leaseConnections(
  services: Pick<Services, "pool" | "clock">,
  provider: AggregatorPort["provider"],
  limit: number,
): Promise<LeasedConnection[]> {
  const { rows } = await services.pool.query<LeasedConnection>({
    name: "lease_connections",
    text: `
      with due_by_real_time as materialized (
        select organization_id, id from connections
         where refresh_due_at <= $1 and provider = $5 and (leased_until is null or leased_until <= $1)
         order by refresh_due_at limit $3),
      moved as (
        select id, clock_offset_ms from organizations where clock_offset_ms > 0 limit $4),
      due_by_moved_clock as materialized (
        select c.organization_id, c.id
          from moved join connections c on c.organization_id = moved.id
         where c.refresh_due_at <= $1::timestamptz + moved.clock_offset_ms * interval '1 millisecond'
           and c.provider = $5 and (c.leased_until is null or c.leased_until <= $1)
         order by c.refresh_due_at limit $3),
      due as materialized (
        select c.organization_id, c.id from connections c
         where (c.organization_id, c.id) in
               (select organization_id, id from due_by_real_time union select organization_id, id from due_by_moved_clock)
           and c.refresh_due_at is not null and (c.leased_until is null or c.leased_until <= $1)
         order by c.refresh_due_at limit $3
           for update skip locked)
      update connections c set leased_until = $1::timestamptz + $2 * interval '1 millisecond'
        from due join organizations o on o.id = due.organization_id
       where c.organization_id = due.organization_id and c.id = due.id
      returning c.organization_id as "organizationId", c.id, c.provider_item_id as "providerItemId",
          c.sealed_access_token as "sealedAccessToken", c.cursor, c.attempts,
          c.created_at as "connectedAt", c.leased_until as "leasedUntil",
          o.clock_offset_ms as "clockOffsetMs"`,
    values: [services.clock.now(), LEASE_MS, limit, MAX_MOVED_CLOCKS, provider],
  });
  return rows;
}
