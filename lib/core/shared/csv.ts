import { stringify } from "csv-stringify/sync";

/**
 * What a cell may hold. Text may come from people, banks or programs and is guarded; `bigint` is an amount in cents,
 * written as a decimal number (`-1234.50`); a date is an instant, written in UTC (ISO 8601); null is empty.
 */
type CsvValue = string | number | bigint | Date | null;

export interface CsvColumn<Row> {
  header: string;
  value: (row: Row) => CsvValue;
}

/** Marks the file as UTF-8; otherwise Excel garbles names. */
const UTF8_MARK = "\uFEFF";

/** The first line of a CSV file: its headers. */
export function csvHead<Row>(columns: readonly CsvColumn<Row>[]): string {
  return UTF8_MARK + write([columns.map(({ header }) => header)]);
}

/**
 * Rows as CSV lines (RFC 4180, comma, CRLF). A text that a spreadsheet would execute as a formula, such as a payee named
 * `=HYPERLINK(…)`, is prefixed with an apostrophe.
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
    // By default only the complete delimiter is quoted. A payee's name with half of it would start a new line: a fake
    // entry in the accountant's spreadsheet.
    quoted_match: /[\r\n]/,
    // Amounts may begin with a minus; the guard skips numbers and recognizes bigints.
    escape_formulas: true,
    cast: { bigint: decimalText, date: (at) => at.toISOString(), number: String },
  });
}

/** `-1234.50`: no separators or currency sign, so every program reads a number. */
export function decimalText(amountInCents: bigint): string {
  const digits = String(amountInCents < 0n ? -amountInCents : amountInCents).padStart(3, "0");
  return `${amountInCents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A file that is written batch by batch while it is sent. */
export interface ExportedFile {
  fileName: string;
  lines: AsyncGenerator<string>;
}
