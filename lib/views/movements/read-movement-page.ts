import type { MovementTab } from "@/lib/contract/search/movement-search";
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

/** A bounded count: with `isMore`, there are more than `count`, or may be. */
export interface BoundedCount {
  count: number;
  isMore: boolean;
}

/** What the amounts of a narrowed list come to, on all of its pages, whatever the status. */
export interface ListedSum {
  /** How many rows have an amount. */
  summedCount: number;
  sumInCents: number;
}

/** The row after which a page begins; null: the newest. */
export type PageBeginning = { side: Side; beyond: string } | null;

/** The IDs of one page, newest first, and where its neighbors begin. */
export interface MovementIds {
  ids: string[];
  /** The newer page ends before this movement; null: this is the newest page. For an empty page it may lack one row. */
  newerThan: string | null;
  /** The older page begins after this movement; null: this is the oldest page. */
  olderThan: string | null;
  /** The page ended at the read limit, not because it was full. */
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
 * One page of a list, by keyset: arrivals neither repeat nor hide rows of older pages.
 * @param scanOf builds the list's scan for each statement, because each has its own values
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
  // The page reaches the newest row: return the full first page instead.
  if (read.next === null) return readKeysetPage(database, scanOf, null, pageSize);
  const ids = read.places.map(({ id }) => id).reverse();
  return { ids, newerThan: read.next, olderThan: ids.at(-1) ?? read.next, isCutShort: read.isCutShort };
}

/** Up to `pageSize` rows in reading order, and the row after which there may be more. */
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
  // Rows beyond were not read in every branch: the next page includes them.
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
  // PostgreSQL sorts UUIDs like lowercase text.
  const order = time !== 0 ? time : place.id < end.id ? -1 : place.id > end.id ? 1 : 0;
  return side === "OLDER" ? order < 0 : order > 0;
}

/** Counts stop here: the page shows "10,000+". */
const MAXIMUM_COUNT = 10_000;
/** The same for whole lists, which every page counts: "1,000+". */
export const MAXIMUM_TAB_COUNT = 1_000;

/** How many movements a list has, what they come to, and how much came in and went out, up to the limit. */
export interface MovementCount extends BoundedCount, ListedSum {
  inInCents: number;
  outInCents: number;
}

interface Row {
  count: number;
  summedCount: number;
  sumInCents: number;
  inInCents: number;
  outInCents: number;
  isMore: boolean;
}

/** @param newerThan counts only movements newer than this one */
export async function countMovements(
  database: Queryable,
  tab: MovementTab,
  look: MovementLook,
  { newerThan = null, maximum = MAXIMUM_COUNT }: { newerThan?: string | null; maximum?: number } = {},
): Promise<MovementCount> {
  return countScan(database, listScan(tab, look), newerThan, maximum);
}

/** The same for any list. `maximum` limits the rows read. */
export async function countScan(
  database: Queryable,
  scan: MovementScan,
  newerThan: string | null,
  maximum = MAXIMUM_COUNT,
): Promise<MovementCount> {
  const { rows } = await database.query<Row>(countSql(scan, maximum, newerThan), scan.values.values);
  const row = rows[0];
  if (!row) throw new Error("A count has no row");
  return {
    // One more than the limit is read, to detect that there are more.
    count: Math.min(row.count, maximum),
    isMore: row.isMore,
    summedCount: row.summedCount,
    sumInCents: row.sumInCents,
    inInCents: row.inInCents,
    outInCents: row.outInCents,
  };
}

/** Null if there are too many to sum up: a sum of some would pass for the sum of all. */
export function listedSum({ isMore, summedCount, sumInCents }: MovementCount): ListedSum | null {
  return isMore ? null : { summedCount, sumInCents };
}

/**
 * What came in and went out in the window, as everywhere else (`border_flows`). Null if there is too much to add up.
 */
export async function sumBorderFlows(
  database: Queryable,
  { organizationId, window }: Pick<MovementLook, "organizationId" | "window">,
): Promise<{ inInCents: number; outInCents: number } | null> {
  const { rows } = await database.query<{ inInCents: number; outInCents: number }>({
    name: "sum_border_flows",
    text: `
      select f.in_in_cents as "inInCents", f.out_in_cents as "outInCents"
        from organizations o
        cross join border_flows(o.id, ($2::timestamptz at time zone o.time_zone)::date,
          ($3::timestamptz at time zone o.time_zone)::date, ${MAXIMUM_COUNT}) f
       where o.id = $1`,
    values: [organizationId, window.from, window.to],
  });
  return rows[0] ?? null;
}
