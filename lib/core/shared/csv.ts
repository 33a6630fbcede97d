import { stringify } from "csv-stringify/sync";

/**
 * What a cell may hold. Text is a person's, a bank's or a program's and is guarded; `bigint` is an amount in cents and
 * written as a decimal number (`-1234.50`); a date is an instant, written in UTC (ISO 8601); null is empty.
 */
type CsvValue = string | number | bigint | Date | null;

export interface CsvColumn<Row> {
  header: string;
  value: (row: Row) => CsvValue;
}

/** Marks the file as UTF-8: without it, Excel reads the names of people and payees as Latin text. */
const UTF8_MARK = "\uFEFF";

/** The first line of a CSV file: its headers. */
export function csvHead<Row>(columns: readonly CsvColumn<Row>[]): string {
  return UTF8_MARK + write([columns.map(({ header }) => header)]);
}

/**
 * Rows as lines of CSV (RFC 4180, comma, CRLF). A text that a spreadsheet would run as a formula, as a payee may have
 * chosen it (`=HYPERLINK(…)`), gets an apostrophe before it.
 */
export function csvLines<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return write(rows.map((row) => columns.map(({ value }) => value(row))));
}

/** The whole file, batch by batch. */
export async function* csvFile<Row>(
  columns: readonly CsvColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvHead(columns);
  for await (const rows of batches) yield csvLines(columns, rows);
}

function write(records: readonly CsvValue[][]): string {
  if (records.length === 0) return "";
  return stringify([...records], {
    record_delimiter: "windows",
    // The library quotes what holds the whole delimiter. A payee's name with half of it would begin a line of its own:
    // an entry that nobody booked, in the accountant's spreadsheet.
    quoted_match: /[\r\n]/,
    // Amounts are ours and may begin with a minus; the guard leaves numbers alone and knows a bigint as one.
    escape_formulas: true,
    cast: { bigint: decimalText, date: (at) => at.toISOString(), number: String },
  });
}

/** `-1234.50`: no separators, no currency sign, so that every program reads a number. */
export function decimalText(amountInCents: bigint): string {
  const digits = String(amountInCents < 0n ? -amountInCents : amountInCents).padStart(3, "0");
  return `${amountInCents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A file, written batch by batch while it is sent. */
export interface ExportedFile {
  fileName: string;
  lines: AsyncGenerator<string>;
}
