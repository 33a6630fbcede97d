import type { MovementTab } from "@/lib/contract/movement-search";
import type { Queryable } from "@/lib/db/transaction";
import { listScan, type MovementLook } from "@/lib/views/movements/list-scans";
import {
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
