import type { MovementTab } from "@/lib/contract/movement-search";
import type { BoundedCount } from "@/lib/contract/views/movements-view";
import type { Queryable } from "@/lib/db/transaction";
import { listScan, type MovementLook } from "@/lib/views/movements/list-scans";
import { countSql, type MovementScan } from "@/lib/views/movements/movement-query";

/** Beyond this many of what somebody asked for nobody counts: the page says "10,000+". */
const MAXIMUM_COUNT = 10_000;
/** The same of a whole list, which every page of every list counts: "1,000+". */
export const MAXIMUM_TAB_COUNT = 1_000;

/** How many movements a list has, and what of them came in and went out; no further than the bound. */
export interface MovementCount extends BoundedCount {
  inInCents: number;
  outInCents: number;
}

interface Row {
  count: number;
  in_in_cents: number;
  out_in_cents: number;
  is_more: boolean;
}

/** @param newerThan counts only what is newer than this movement */
export async function countMovements(
  database: Queryable,
  tab: MovementTab,
  look: MovementLook,
  { newerThan = null, maximum = MAXIMUM_COUNT }: { newerThan?: string | null; maximum?: number } = {},
): Promise<MovementCount> {
  const scan = listScan(tab, look);
  return countScan(database, scan, scan.flow, newerThan, maximum);
}

/** The same of any list; `flow` null where its rows carry no amount. `maximum`: of the rows that are read for it. */
export async function countScan(
  database: Queryable,
  scan: MovementScan,
  flow: (() => string) | null,
  newerThan: string | null,
  maximum = MAXIMUM_COUNT,
): Promise<MovementCount> {
  const { rows } = await database.query<Row>(countSql(scan, flow, maximum, newerThan), scan.values.values);
  const row = rows[0];
  if (!row) throw new Error("A count has no row");
  return {
    // One more than the bound is read, to know that there is more.
    count: Math.min(row.count, maximum),
    isMore: row.is_more,
    inInCents: row.in_in_cents,
    outInCents: row.out_in_cents,
  };
}

/**
 * What crossed the border of the organization's accounts and settled in the window: read from the index of just that,
 * so that neither moves between pods, the many, nor the rows themselves are read. Null where even that is too much to add up.
 */
export async function sumBorderCrossings(
  database: Queryable,
  { organizationId, window }: Pick<MovementLook, "organizationId" | "window">,
): Promise<{ inInCents: number; outInCents: number } | null> {
  const { rows } = await database.query<Row>({
    name: "sum_border_crossings",
    text: `
      select count(*)::int as count,
          coalesce(sum(amount_in_cents) filter (where direction = 'MONEY_IN'), 0)::bigint as in_in_cents,
          coalesce(sum(amount_in_cents) filter (where direction = 'MONEY_OUT'), 0)::bigint as out_in_cents
        from (
          select direction, case when status = 'COMPLETE' then amount_in_cents else 0 end as amount_in_cents
            from transfers
           where organization_id = $1 and direction <> 'INTERNAL' and execution_mode = 'LIVE'
             and status in ('COMPLETE', 'RETURNED')
             and completed_at between coalesce($2::timestamptz, '-infinity') and coalesce($3::timestamptz, 'infinity')
           order by completed_at desc limit ${MAXIMUM_COUNT + 1}) crossed`,
    values: [organizationId, window.from, window.to],
  });
  const row = rows[0];
  if (!row || row.count > MAXIMUM_COUNT) return null;
  return { inInCents: row.in_in_cents, outInCents: row.out_in_cents };
}
