import type { MovementSearch, MovementTab } from "@/lib/contract/movement-search";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/context";
import { type CsvColumn, csvHead, csvLines } from "@/lib/core/exports/csv";
import type { ExportedFile } from "@/lib/core/exports/exported-file";
import { requireExport } from "@/lib/core/exports/require-export";
import { readCardRows } from "@/lib/core/movements/card-movement-row";
import { cardColumns, outsideColumns, transferColumns } from "@/lib/core/movements/export-columns";
import type { MovementLook } from "@/lib/core/movements/list-scans";
import { movementWindow } from "@/lib/core/movements/movement-window";
import { readOutsideRows } from "@/lib/core/movements/outside-movement-row";
import { readMovementPage } from "@/lib/core/movements/read-movement-page";
import { readTransferRows } from "@/lib/core/movements/transfer-movement-row";
import { calendarDate } from "@/lib/engine/calendar-date";
import type { Queryable } from "@/lib/platform/db/transaction";
import type { Services } from "@/lib/platform/services";

/** A file ends after so many rows, and says so in its last line. */
export const MAXIMUM_EXPORTED_ROWS = 100_000;
const ROWS_PER_BATCH = 1_000;
/** Batches that filters leave empty count too, so that a file ends whatever is filtered. */
const MAXIMUM_BATCHES = 400;

interface Limits {
  maximumRows: number;
  rowsPerBatch: number;
}

/**
 * A list of movements as CSV, with the same filters, newest first. What arrives while it is written is not in it.
 * @throws AppError `ACCESS_DENIED` for a viewer, who reads and takes no copies.
 */
export function exportMovements(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  tab: MovementTab,
  search: MovementSearch,
  time: TimeContext,
  limits: Limits = { maximumRows: MAXIMUM_EXPORTED_ROWS, rowsPerBatch: ROWS_PER_BATCH },
): ExportedFile {
  requireExport(context);
  const { organizationId, now } = context;
  const look: MovementLook = {
    organizationId,
    now,
    search,
    window: movementWindow(search, now, time.timeZone),
  };
  const { pool } = services;
  const day = calendarDate(now, time.timeZone);
  const lines = {
    TRANSFERS: () => writeFile(pool, tab, look, transferColumns(time, now), readTransferRows, limits),
    CARDS: () => writeFile(pool, tab, look, cardColumns(time), readCardRows, limits),
    OUTSIDE: () => writeFile(pool, tab, look, outsideColumns(time), readOutsideRows, limits),
  }[tab];
  return { fileName: `${FILE_NAME[tab]}-${day}.csv`, lines: lines() };
}

const FILE_NAME: Record<MovementTab, string> = {
  TRANSFERS: "transfers",
  CARDS: "card-transactions",
  OUTSIDE: "outside-transactions",
};

async function* writeFile<Row>(
  database: Queryable,
  tab: MovementTab,
  look: MovementLook,
  columns: readonly CsvColumn<Row>[],
  readRows: (database: Queryable, organizationId: string, ids: readonly string[]) => Promise<Row[]>,
  { maximumRows, rowsPerBatch }: Limits,
): AsyncGenerator<string> {
  yield csvHead(columns);
  let beyond: string | null = null;
  let written = 0;
  for (let batch = 0; batch < MAXIMUM_BATCHES; batch += 1) {
    const from: { side: "OLDER"; beyond: string } | null = beyond === null ? null : { side: "OLDER", beyond };
    const size = Math.min(rowsPerBatch, maximumRows - written);
    if (size === 0) break;
    const page = await readMovementPage(database, tab, look, from, size);
    const rows = page.ids.length > 0 ? await readRows(database, look.organizationId, page.ids) : [];
    yield csvLines(columns, rows);
    written += rows.length;
    if (page.olderThan === null) return;
    beyond = page.olderThan;
  }
  yield csvLines(
    [{ header: "", value: (text: string) => text }],
    [
      `This file ends here, after ${written.toLocaleString("en-US")} rows, and the list goes on. Choose a shorter window for the rest.`,
    ],
  );
}
