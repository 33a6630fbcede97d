import { AppError } from "@/lib/contract/error";
import { MAXIMUM_IMPORTED_LINES, PAYEE_CSV_ADDRESS_COLUMNS, PAYEE_CSV_COLUMNS } from "@/lib/contract/payee";
import {
  MAXIMUM_FILE_COLUMNS,
  type PayeeFileMatch,
  type PayeeFilePreview,
} from "@/lib/contract/payees/payee-file";
import { guessMatch, isKnownHeader, matchOwnHeader } from "@/lib/core/payees/match-columns";
import { whatElseItIs } from "@/lib/core/payees/not-csv";
import { type PayeeOfLine, payeeOfLine } from "@/lib/core/payees/payee-of-line";
import { type CsvRecord, readCsv } from "@/lib/core/payees/read-csv";
import type { BankPort } from "@/lib/ports/bank/bank-port";

export interface PayeeFile extends Pick<PayeeFilePreview, "isOwnHeader" | "columns" | "match"> {
  lines: PayeeOfLine[];
}

/**
 * Reads a file with payees: Sluice's own header, or columns that a person matched.
 * @param given null: the match of Sluice's header, or a guess for another one
 * @param requiredHeader refuses a header that is not Sluice's, and names this one
 * @throws AppError `INVALID_PARAMETERS` for a file that cannot be read, has no lines, or more than
 * MAXIMUM_IMPORTED_LINES
 */
export function readPayeeFile(
  text: string,
  given: PayeeFileMatch | null,
  requiredHeader: string | null = null,
): PayeeFile {
  const other = whatElseItIs(text);
  if (other !== null) throw new AppError("INVALID_PARAMETERS", `${other} Nothing was added.`);
  const { separator, records } = readCsv(text);
  const first = firstOf(records);
  const own = matchOwnHeader(first);
  if (own === null && requiredHeader !== null) {
    throw new AppError("INVALID_PARAMETERS", `The first line must be: ${requiredHeader}. Nothing was added.`);
  }
  const match = own ?? given ?? guessMatch(first);
  const payees = match.hasHeader ? records.slice(1) : records;
  if (payees.length === 0 || payees.length > MAXIMUM_IMPORTED_LINES) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `A file has from 1 to ${MAXIMUM_IMPORTED_LINES} lines below the first. Nothing was added.`,
    );
  }
  if (Object.values(match.columns).some((column) => column >= first.length)) {
    throw new AppError("INVALID_PARAMETERS", "A column is not in this file. Choose the file again.");
  }
  const shape = { separator, columnCount: first.length, match };
  return {
    isOwnHeader: own !== null,
    columns: columnsOf(first, payees, match.hasHeader),
    match,
    lines: payees.map((record) => payeeOfLine(record, shape)),
  };
}

/** The header of a file that needs no match, as a refusal names it. */
export function ownHeader({ requiresAddress }: BankPort["capabilities"]): string {
  const columns = requiresAddress ? [...PAYEE_CSV_COLUMNS, ...PAYEE_CSV_ADDRESS_COLUMNS] : PAYEE_CSV_COLUMNS;
  return columns.join(",");
}

/** Spreadsheets write empty columns after the last one. */
function firstOf(records: readonly CsvRecord[]): string[] {
  const [first] = records;
  if (first === undefined) throw new AppError("INVALID_PARAMETERS", "The file is empty. Nothing was added.");
  if (first.fields === null) {
    throw new AppError("INVALID_PARAMETERS", "The first line has a quote inside a field. Nothing was added.");
  }
  const fields = first.fields.slice(0, first.fields.findLastIndex((field) => field !== "") + 1);
  if (fields.length === 1 && isWholeHeader(fields[0] ?? "")) {
    const message = "The first line is in quotes as a whole. Remove the quotes around each line.";
    throw new AppError("INVALID_PARAMETERS", `${message} Nothing was added.`);
  }
  if (fields.length <= MAXIMUM_FILE_COLUMNS) return fields;
  const message = `A file has at most ${MAXIMUM_FILE_COLUMNS} columns. Nothing was added.`;
  throw new AppError("INVALID_PARAMETERS", message);
}

/** A spreadsheet that took each line for one field puts all of it in quotes. */
function isWholeHeader(text: string): boolean {
  if (text.includes("\n")) return false;
  const columns = firstFieldsOf(text);
  return columns.length > 1 && (matchOwnHeader(columns) !== null || isKnownHeader(columns));
}

function firstFieldsOf(text: string): string[] {
  try {
    return readCsv(text).records[0]?.fields ?? [];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

const MAXIMUM_EXAMPLE_LENGTH = 40;

function columnsOf(first: readonly string[], records: readonly CsvRecord[], hasHeader: boolean) {
  return first.map((name, column) => ({
    name: hasHeader ? masked(name) : null,
    example: masked(
      records.map(({ fields }) => (fields?.length === first.length ? fields[column] : "")).find(Boolean) ??
        "",
    ),
  }));
}

/** Only the last four digits of a number, as everywhere else. */
function masked(text: string): string {
  return text
    .replaceAll(/[0-9](?:[ -]?[0-9])*(?=(?:[ -]?[0-9]){4})/g, "••••")
    .slice(0, MAXIMUM_EXAMPLE_LENGTH);
}
