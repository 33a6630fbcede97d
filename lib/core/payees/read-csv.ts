import { parse } from "csv-parse/sync";
import { AppError } from "@/lib/contract/error";

export interface CsvRecord {
  /** Where it begins in the file, from 1. */
  line: number;
  /** Where it ends: later where a quoted field contains line breaks. */
  lastLine: number;
  /** Trimmed. Null where a quote is inside an unquoted field. */
  fields: string[] | null;
}

export interface CsvFile {
  separator: Separator;
  /** Without blank lines. */
  records: CsvRecord[];
}

export const SEPARATORS = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" } as const;
export type Separator = keyof typeof SEPARATORS;

/**
 * Reads a CSV file as programs and spreadsheets write it: lines that end with LF, CR LF or CR, fields separated by
 * commas, semicolons, tabs or bars (as the first line or Excel's `sep=` line says), quoted where they contain those.
 * A number as a formula, `="021000021"`, is the number.
 * @throws AppError `INVALID_PARAMETERS` for a quote that does not close where it should: whole lines would vanish in its
 * field. It names the line and repeats none of its text.
 */
export function readCsv(text: string): CsvFile {
  const whole = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const declared = /^"?sep=(.)"?\n/i.exec(whole);
  const rest = declared ? whole.slice(declared[0].length) : whole;
  const body = rest.replaceAll(NUMBER_AS_FORMULA, '$1"$2$3"');
  const separator = declared ? toSeparator(declared[1] ?? "") : separatorOf(body);
  const linesBefore = declared ? 1 : 0;
  const records: CsvRecord[] = [];
  /** Where the record that is being read begins: the parser says only where it is. */
  let line = linesBefore + 1;
  parse(body, {
    delimiter: separator,
    record_delimiter: "\n",
    trim: true,
    relax_column_count: true,
    on_record: (fields: string[], { lines }) => {
      const lastLine = lines + linesBefore;
      if (fields.some((field) => field !== "")) records.push({ line, lastLine, fields });
      line = lastLine + 1;
      return null;
    },
    // Errors pass through `on_skip`: one ends the file, the other only its line.
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error?.code !== QUOTE_INSIDE_FIELD) throw unclosed(line);
      const at = Number(error.lines) + linesBefore;
      if (records.at(-1)?.line !== at) records.push({ line: at, lastLine: at, fields: null });
      line = at + 1;
      return undefined;
    },
  });
  return { separator, records };
}

/** How spreadsheets' exports keep a zero in front: `="021000021"`, which as a field in quotes has each of its own doubled. */
const NUMBER_AS_FORMULA = /(^|[,;\t|])(?:="([0-9 -]{1,40})"|"=""([0-9 -]{1,40})""")(?=[,;\t|]|$)/gm;

/** The parser's code for it; its own list of codes lacks the prefix of this one. */
const QUOTE_INSIDE_FIELD: string = "INVALID_OPENING_QUOTE";

function unclosed(line: number): AppError {
  return new AppError(
    "INVALID_PARAMETERS",
    `Line ${line} has a quote that does not close at the end of its field. Nothing was added.`,
  );
}

function toSeparator(character: string): Separator {
  const found = (Object.keys(SEPARATORS) as Separator[]).find((one) => one === character);
  if (found) return found;
  throw new AppError(
    "INVALID_PARAMETERS",
    "The first line, sep=, must name a comma, semicolon, tab or bar. Nothing was added.",
  );
}

/** The separator of the first line with several fields; a comma without one. */
function separatorOf(text: string): Separator {
  const first = /^.*\S.*$/m.exec(text)?.[0].replaceAll(/"[^"]*"/g, "") ?? "";
  const count = (separator: Separator) => first.split(separator).length;
  return (Object.keys(SEPARATORS) as Separator[]).reduce((most, one) =>
    count(one) > count(most) ? one : most,
  );
}
