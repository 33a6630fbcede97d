import type { Services } from "@/lib/platform/services";

/** Figures of the whole database, for metrics. */
export interface ReconciliationFigures {
  openDifferences: number;
  /** Business time since the oldest open difference was opened; 0: there is none. */
  oldestSeconds: number;
  /** Business time since the organization was reconciled that has waited longest; 0: there is none. */
  ageSeconds: number;
  /** Organizations whose last reconciliation left a rest. */
  unexplained: number;
}

export async function readReconciliationFigures({
  pool,
  clock,
}: Pick<Services, "pool" | "clock">): Promise<ReconciliationFigures> {
  const { rows } = await pool.query<ReconciliationFigures>({
    name: "read_reconciliation_figures",
    text: `
      select (select count(*) from bank_differences d where d.state = 'OPEN')::int
          as "openDifferences",
        coalesce((select max(extract(epoch from $1 - d.opened_at) + o.clock_offset_ms / 1000.0)
          from bank_differences d join organizations o on o.id = d.organization_id where d.state = 'OPEN'), 0)::float8
          as "oldestSeconds",
        coalesce(max(extract(epoch from $1 - r.reconciled_at) + o.clock_offset_ms / 1000.0), 0)::float8 as "ageSeconds",
        (count(*) filter (where r.unexplained_in_cents <> 0))::int as unexplained
        from reconciliations r join organizations o on o.id = r.organization_id`,
    values: [clock.now()],
  });
  if (!rows[0]) throw new Error("The figures of reconciliation have a row");
  return rows[0];
}
