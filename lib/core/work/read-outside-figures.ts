import type { Services } from "@/lib/platform/services";

/** What waits for someone outside, in the whole database: for metrics. */
export interface OutsideFigures {
  /** Seconds of business time since the oldest order was accepted that the bank has and has not settled; 0 without one. */
  oldestOrderSeconds: number;
  /** Orders that the bank has, or may have, and has not settled. */
  openOrders: number;
  /** Enabled endpoints whose last attempt failed. */
  failingEndpoints: number;
  /** Seconds of business time since the first failure of the endpoint that has failed longest; 0 without one. */
  failingSeconds: number;
}

export async function readOutsideFigures({
  pool,
  clock,
}: Pick<Services, "pool" | "clock">): Promise<OutsideFigures> {
  const { rows } = await pool.query<OutsideFigures>({
    name: "read_outside_figures",
    // The two steps apart, because each has a partial index of its own.
    text: `
      with orders as (
        select organization_id, accepted_at from transfers where next_step = 'AWAIT'
        union all
        select organization_id, accepted_at from transfers where next_step = 'ASK'),
      failing as (
        select organization_id, failing_since from webhook_endpoints where status = 'ENABLED' and failing_since is not null)
      select coalesce((select max(extract(epoch from $1 - t.accepted_at) + o.clock_offset_ms / 1000.0)
            from orders t join organizations o on o.id = t.organization_id), 0)::float8 as "oldestOrderSeconds",
          (select count(*) from orders)::int as "openOrders",
          (select count(*) from failing)::int as "failingEndpoints",
          coalesce((select max(extract(epoch from $1 - f.failing_since) + o.clock_offset_ms / 1000.0)
            from failing f join organizations o on o.id = f.organization_id), 0)::float8 as "failingSeconds"`,
    values: [clock.now()],
  });
  if (!rows[0]) throw new Error("The figures of what is outside have a row");
  return rows[0];
}
