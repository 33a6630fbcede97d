import type { Services } from "@/lib/platform/services";

/** What waits for someone outside, in the whole database: for metrics. */
export interface OutsideFigures {
  /** Seconds of business time since the oldest order was accepted that the bank has and has not settled; 0 without one. */
  oldestOrderSeconds: number;
  /** Orders that the bank has, or may have, and has not settled. */
  openOrders: number;
  /** What these orders move, in cents. */
  ordersInCents: number;
  /** Proposals that wait for a person: transfers and runs. */
  waitingProposals: number;
  /** What the transfers among them would move, in cents. */
  waitingInCents: number;
  /** Seconds of business time since the oldest of them was proposed; 0 without one. */
  oldestProposalSeconds: number;
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
        select organization_id, accepted_at, amount_in_cents from transfers where next_step = 'AWAIT'
        union all
        select organization_id, accepted_at, amount_in_cents from transfers where next_step = 'ASK'),
      waiting as (
        select p.organization_id, p.created_at, t.amount_in_cents from proposals p
          left join transfers t on t.organization_id = p.organization_id and t.id = p.id
         where p.state = 'WAITING'),
      failing as (
        select organization_id, failing_since from webhook_endpoints where status = 'ENABLED' and failing_since is not null)
      select coalesce((select max(extract(epoch from $1 - t.accepted_at) + o.clock_offset_ms / 1000.0)
            from orders t join organizations o on o.id = t.organization_id), 0)::float8 as "oldestOrderSeconds",
          (select count(*) from orders)::int as "openOrders",
          (select coalesce(sum(amount_in_cents), 0) from orders)::float8 as "ordersInCents",
          (select count(*) from waiting)::int as "waitingProposals",
          (select coalesce(sum(amount_in_cents), 0) from waiting)::float8 as "waitingInCents",
          coalesce((select max(extract(epoch from $1 - w.created_at) + o.clock_offset_ms / 1000.0)
            from waiting w join organizations o on o.id = w.organization_id), 0)::float8 as "oldestProposalSeconds",
          (select count(*) from failing)::int as "failingEndpoints",
          coalesce((select max(extract(epoch from $1 - f.failing_since) + o.clock_offset_ms / 1000.0)
            from failing f join organizations o on o.id = f.organization_id), 0)::float8 as "failingSeconds"`,
    values: [clock.now()],
  });
  if (!rows[0]) throw new Error("The figures of what is outside have a row");
  return rows[0];
}
