import { type CsvColumn, csvHead, csvLines } from "@/lib/core/shared/csv";
import type { Queryable } from "@/lib/db/transaction";
import type { MovementScan } from "@/lib/views/movements/movement-query";
import { type PageBeginning, readKeysetPage } from "@/lib/views/movements/read-movement-page";

/** Batches that filters leave empty count too, so that a file ends whatever is filtered. */
const MAXIMUM_BATCHES = 400;

export interface FileLimits {
  /** A file ends after so many rows, and says so in its last line. */
  maximumRows: number;
  rowsPerBatch: number;
}

interface KeysetFile<Row> {
  scanOf: () => MovementScan;
  columns: readonly CsvColumn<Row>[];
  /** The rows with these ids, in the order of the list. */
  readRows: (ids: readonly string[]) => Promise<Row[]>;
  limits: FileLimits;
}

/** A list as CSV, batch by batch, newest first. What arrives while it is written is not in it. */
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
  return `This file ends here, after ${written.toLocaleString("en-US")} rows, and the list goes on. Choose a shorter window for the rest.`;
}
