import type { z } from "zod";
import { schemaWords } from "@/lib/contract/input/schema-words";
import { isRoutingNumber, newPayeeSchema } from "@/lib/contract/payee";
import type { PayeeFileField, PayeeFileMatch } from "@/lib/contract/payees/payee-file";
import { readAccountKind, readKind } from "@/lib/core/payees/match-columns";
import { type CsvRecord, SEPARATORS, type Separator } from "@/lib/core/payees/read-csv";

type NewPayee = z.output<typeof newPayeeSchema>;

/** A line of a file: a payee to add, or what is wrong with it. Neither repeats a number. */
export type PayeeOfLine = { line: number; name: string } & (
  | { payee: NewPayee; problem: null }
  | { payee: null; problem: string }
);

export interface FileShape {
  separator: Separator;
  /** Of the first line, without empty ones at its end. */
  columnCount: number;
  match: PayeeFileMatch;
}

/** Reads one line of a file with payees. A line of another shape gives none of its text. */
export function payeeOfLine(record: CsvRecord, shape: FileShape): PayeeOfLine {
  const { line } = record;
  const fields = fieldsOf(record, shape.columnCount);
  if (fields === null) return { line, name: "", payee: null, problem: shapeProblem(record, shape) };
  const text = (field: PayeeFileField) => fields[shape.match.columns[field] ?? -1] ?? "";
  if (hidesLines(fields, shape)) {
    const problem = `A field goes on to line ${record.lastLine}, and other lines seem to be in it. Check the quotes.`;
    return { line, name: "", payee: null, problem };
  }
  if (FIELD_NAMES.some((field) => text(field).includes("\n"))) {
    const problem = `A field goes on to line ${record.lastLine}, and no field may contain line breaks. Check the quotes.`;
    return { line, name: "", payee: null, problem };
  }
  const name = shownName(text("name"));
  const damage =
    numberInText(text("name"), text("holderName")) ??
    spreadsheetDamage(text("routingNumber"), text("accountNumber"));
  if (damage) return { line, name, payee: null, problem: damage };
  const parsed = newPayeeSchema.safeParse(toInput(text, shape.match), { error: schemaWords });
  if (!parsed.success) {
    return { line, name, payee: null, problem: parsed.error.issues.map(problemOf).join(" ") };
  }
  return { line, name, payee: parsed.data, problem: null };
}

/** As many as the first line has; null for a line of another shape. */
function fieldsOf({ fields }: CsvRecord, columnCount: number): string[] | null {
  if (fields === null || fields.length < columnCount) return null;
  return fields.slice(columnCount).every((field) => field === "") ? fields.slice(0, columnCount) : null;
}

/**
 * Whether a field that goes on for lines holds lines of the file: a quote opened in one and closed in another, and those
 * between would vanish in a column that nobody reads. The text of a note seldom has just so many separators.
 */
function hidesLines(fields: readonly string[], { separator, columnCount }: FileShape): boolean {
  const column = fields.findIndex((field) => field.includes("\n"));
  if (column < 0 || columnCount === 1) return false;
  const counts = (fields[column] ?? "").split("\n").map((text) => text.split(separator).length);
  const after = columnCount - 1 - column;
  const [first = 0, ...others] = counts.map((count, at) => count + (at === counts.length - 1 ? after : 0));
  return column + first === columnCount && others.includes(columnCount);
}

/** Why a line has another number of fields than the first one. Its text may be an account number: none is repeated. */
function shapeProblem({ line, lastLine, fields }: CsvRecord, { separator, columnCount }: FileShape): string {
  if (fields === null)
    return "A quote is inside a field. Put the field in quotes, and double the one inside.";
  const count = `It has ${fields.length === 1 ? "1 field" : `${fields.length} fields`}, not ${columnCount}.`;
  if (lastLine > line) return `${count} A quote opens in it and closes in line ${lastLine}.`;
  const whole = fields.join(separator);
  if (fields.length === 1 && whole.includes(separator)) {
    return `${count} The whole line is in quotes: remove the quotes around it.`;
  }
  const others = Object.entries(SEPARATORS).filter(([character]) => character !== separator);
  const meant = others.find(([character]) => whole.split(character).length >= columnCount);
  if (columnCount > 1 && meant) {
    return `${count} Its fields are separated by ${meant[1]}, those of the first line by ${SEPARATORS[separator]}.`;
  }
  return count;
}

const MAXIMUM_SHOWN_NAME_LENGTH = 60;

/** A name to find the line by; empty where it could be a number that was put into the wrong column. */
function shownName(name: string): string {
  return /[0-9]{5}/.test(name.replaceAll(/[\s-]/g, "")) ? "" : name.slice(0, MAXIMUM_SHOWN_NAME_LENGTH);
}

/** A whole line, or an account number, in the column of a name: it would be shown wherever the payee is. */
function numberInText(...texts: string[]): string | null {
  const hasNumber = texts.some((text) => /[0-9]{8}/.test(text.replaceAll(/[\s-]/g, "")));
  return hasNumber
    ? "The name or the account holder has a long number in it. Check which column holds what, and the quotes."
    : null;
}

/** What spreadsheets do to numbers, named as that: "must be nine digits" would not say where the ninth went. */
function spreadsheetDamage(routingNumber: string, accountNumber: string): string | null {
  const digits = routingNumber.replaceAll(/[\s-]/g, "");
  if (/^[0-9]{7,8}$/.test(digits) && isRoutingNumber(digits.padStart(9, "0"))) {
    return `The routing number has ${digits.length} digits: a spreadsheet dropped the zero in front. Format the column as text.`;
  }
  if (/^[0-9][.,]?[0-9]*E\+?[0-9]+$/i.test(accountNumber)) {
    return "A spreadsheet shortened the account number to a power of ten. Format the column as text.";
  }
  return null;
}

function toInput(text: (field: PayeeFileField) => string, { columns, kind, accountKind }: PayeeFileMatch) {
  const [street, city, state, postalCode] = [text("street"), text("city"), text("state"), text("postalCode")];
  const isGiven = (...parts: string[]) => parts.some((part) => part !== "");
  const routingNumber = text("routingNumber");
  const accountNumber = text("accountNumber");
  const hasAddress = isGiven(street, city, state, postalCode);
  const address = hasAddress ? { street, city, state, postalCode } : null;
  const hasNumbers = isGiven(routingNumber, accountNumber);
  // Lists of vendors have addresses of those who have no account there.
  const hasAccount =
    hasNumbers ||
    ("accountNumber" in columns && (hasAddress || isGiven(text("holderName"), text("accountKind"))));
  return {
    name: text("name"),
    kind: "kind" in columns ? readKind(text("kind")) : kind,
    email: text("email") || null,
    account: hasAccount
      ? {
          holderName: "holderName" in columns ? text("holderName") : text("name"),
          accountKind: "accountKind" in columns ? readAccountKind(text("accountKind")) : accountKind,
          routingNumber,
          accountNumber,
          address,
        }
      : null,
  };
}

const FIELD: Readonly<Record<PayeeFileField, string>> = {
  name: "The name",
  kind: "The kind",
  email: "The email",
  holderName: "The account holder",
  accountKind: "The account kind",
  routingNumber: "The routing number",
  accountNumber: "The account number",
  street: "The street",
  city: "The city",
  state: "The state",
  postalCode: "The zip",
};
const FIELD_NAMES = Object.keys(FIELD) as PayeeFileField[];
const CHOICE: Readonly<Record<string, string>> = {
  kind: "must be BUSINESS or INDIVIDUAL",
  accountKind: "must be CHECKING or SAVINGS",
};

function problemOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  const field = FIELD_NAMES.find((one) => one === path.at(-1));
  return field === undefined ? `It ${message}.` : `${FIELD[field]} ${CHOICE[field] ?? message}.`;
}
