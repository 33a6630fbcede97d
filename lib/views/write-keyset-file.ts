import { type CsvColumn, csvHead, csvLines } from "@/lib/core/shared/csv";
import type { Queryable } from "@/lib/db/transaction";
import type { MovementScan } from "@/lib/views/movements/movement-query";
import { type PageBeginning, readKeysetPage } from "@/lib/views/movements/read-movement-page";

/** Batches emptied by filters count too, so that every file ends. */
const MAXIMUM_BATCHES = 400;

export interface FileLimits {
  /** The row limit; a file that reaches it says so in its last line. */
  maximumRows: number;
  rowsPerBatch: number;
}

interface KeysetFile<Row> {
  scanOf: () => MovementScan;
  columns: readonly CsvColumn<Row>[];
  /** The rows with these IDs, in list order. */
  readRows: (ids: readonly string[]) => Promise<Row[]>;
  limits: FileLimits;
}

/** A list as CSV in batches, newest first. Rows that arrive during the export are not included. */
export async function* writeKeysetFile<Row>(
  database: Queryable,
  { scanOf, columns, readRows, limits: { maximumRows, rowsPerBatch } }: KeysetFile<Row>,
): AsyncGenerator<string> {
  yield csvHead(columns);
  let from: PageBeginning = null;
  let written = 0;
  for (let batch = 0; batch < MAXIMUM_BATCHES && written < maximumRows; batch += 1) {
    const size = Math.min(rowsPerBatch, maximumRows - written);
    const page = await readKeysetPage(database, scanOf, from, size);
    const rows = page.ids.length > 0 ? await readRows(page.ids) : [];
    yield csvLines(columns, rows);
    written += rows.length;
    if (page.olderThan === null) return;
    from = { side: "OLDER", beyond: page.olderThan };
  }
  yield csvLines([{ header: "", value: (text: string) => text }], [endWords(written)]);
}

function endWords(written: number): string {
  return `This file ends after ${written.toLocaleString("en-US")} rows. Choose a shorter period for the rest.`;
}
