import type { Queryable } from "@/lib/db/transaction";

/** Pages in a row without a new line before they are compared with the lines that there are. */
const IDLE_PAGES = 10_000;

/** As the table of reconciliations allows; no address carries more. */
const MAXIMUM_CURSOR = 10_000;

/** Whether a cursor can be kept, so that the reading goes on with it after a crash. */
export function isKeepableCursor(cursor: string): boolean {
  return cursor.length <= MAXIMUM_CURSOR && cursor.isWellFormed() && !cursor.includes("\0");
}

/** How far a statement is read. */
export interface Reading {
  /** A cursor that the bank named before; null: none yet. */
  mark: string | null;
  pages: number;
  /** The last pages in a row without a new line. */
  idle: number;
}

/**
 * Whether a bank's list of lines goes in a circle: it then names a next page for ever, all of which were read. The mark
 * moves on after 1, 2, 4, 8, … pages, so that a circle of any length is seen within three times around (Brent's algorithm).
 * @param page what was just read
 * @returns the reading after this page; null: the list goes in a circle
 */
export async function passPage(
  client: Queryable,
  organizationId: string,
  before: Reading,
  page: { nextCursor: string; newLines: number },
): Promise<Reading | null> {
  if (page.nextCursor === before.mark) return null;
  const pages = before.pages + 1;
  const idle = page.newLines > 0 ? 0 : before.idle + 1;
  // Cursors that are new each time: each page of known lines has one at least, so there are no more such pages than lines.
  if (idle > 0 && idle % IDLE_PAGES === 0 && idle > (await countLines(client, organizationId))) return null;
  const isPowerOfTwo = (pages & (pages - 1)) === 0;
  return { mark: isPowerOfTwo ? page.nextCursor : before.mark, pages, idle };
}

async function countLines(client: Queryable, organizationId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: "count_bank_lines",
    text: "select count(*)::int as count from bank_lines where organization_id = $1",
    values: [organizationId],
  });
  return rows[0]?.count ?? 0;
}
