import type { MovementTab } from "@/lib/contract/movement-search";
import type { BoundedCount } from "@/lib/contract/views/movements-view";
import type { Queryable } from "@/lib/db/transaction";
import { listScan, type MovementLook } from "@/lib/views/movements/list-scans";
import {
  countSql,
  frontierSql,
  type MovementScan,
  mayLackRows,
  pageSql,
  type Side,
} from "@/lib/views/movements/movement-query";

/** Beyond which row a page begins; null: at the newest. */
export type PageBeginning = { side: Side; beyond: string } | null;

/** The ids of one page, newest first, and where the pages beside it begin. */
export interface MovementIds {
  ids: string[];
  /** The newer page ends before this movement; null: this is the newest. Of an empty page it may lack one row. */
  newerThan: string | null;
  /** The older page begins after this movement; null: this is the oldest. */
  olderThan: string | null;
  /** It was ended by how much is read for one page, not by being full. */
  isCutShort: boolean;
}

interface Place {
  id: string;
  at: Date | null;
}

/** One page of a list of movements; see `readKeysetPage`. */
export function readMovementPage(
  database: Queryable,
  tab: MovementTab,
  look: MovementLook,
  from: PageBeginning,
  pageSize: number,
): Promise<MovementIds> {
  return readKeysetPage(database, () => listScan(tab, look), from, pageSize);
}

/**
 * One page of a list. By keyset: what arrives meanwhile neither repeats nor hides a row of an older page.
 * @param scanOf the list; made anew for every statement, since each has values of its own
 */
export async function readKeysetPage(
  database: Queryable,
  scanOf: () => MovementScan,
  from: PageBeginning,
  pageSize: number,
): Promise<MovementIds> {
  const side = from?.side ?? "OLDER";
  const read = await readSide(database, scanOf, side, from?.beyond ?? null, pageSize);
  if (side === "OLDER") {
    return {
      ids: read.places.map(({ id }) => id),
      newerThan: from === null ? null : (read.places[0]?.id ?? from.beyond),
      olderThan: read.next,
      isCutShort: read.isCutShort,
    };
  }
  // It reaches the newest: then it is the first page, full.
  if (read.next === null) return readKeysetPage(database, scanOf, null, pageSize);
  const ids = read.places.map(({ id }) => id).reverse();
  return { ids, newerThan: read.next, olderThan: ids.at(-1) ?? read.next, isCutShort: read.isCutShort };
}

/** Up to `pageSize` rows in the order of reading, and the one beyond which more are, or may be. */
async function readSide(
  database: Queryable,
  scanOf: () => MovementScan,
  side: Side,
  beyond: string | null,
  pageSize: number,
): Promise<{ places: Place[]; next: string | null; isCutShort: boolean }> {
  const scan = scanOf();
  const { rows } = await database.query<Place>(pageSql(scan, side, beyond, pageSize + 1), scan.values.values);
  const places = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? (places.at(-1)?.id ?? null) : null;
  if (last !== null && !mayLackRows(scan, pageSize)) return { places, next: last, isCutShort: false };
  const end = await readFrontier(database, scanOf(), side, beyond, last);
  if (end === null) return { places, next: last, isCutShort: false };
  // What lies beyond has not been looked at in every branch: it comes with the next page.
  const looked = places.filter((place) => !isBeyond(place, end, side));
  return { places: looked, next: end.id, isCutShort: last === null || looked.length < places.length };
}

async function readFrontier(
  database: Queryable,
  scan: MovementScan,
  side: Side,
  beyond: string | null,
  upTo: string | null,
): Promise<Place | null> {
  const { rows } = await database.query<Place>(frontierSql(scan, side, beyond, upTo), scan.values.values);
  return rows[0] ?? null;
}

function isBeyond(place: Place, end: Place, side: Side): boolean {
  const time = (place.at?.getTime() ?? 0) - (end.at?.getTime() ?? 0);
  // UUIDs in lower case sort as PostgreSQL sorts them.
  const order = time !== 0 ? time : place.id < end.id ? -1 : place.id > end.id ? 1 : 0;
  return side === "OLDER" ? order < 0 : order > 0;
}

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
