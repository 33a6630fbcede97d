import { AppError } from "@/lib/contract/error";
import { MAXIMUM_IMPORTED_LINES, newPayeeSchema, PAYEE_CSV_COLUMNS } from "@/lib/contract/payee";
import type { ImportedLine } from "@/lib/contract/views/payees-view";
import { addPayee } from "@/lib/core/payees/give-details";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import type { Services } from "@/lib/platform/services";
import type { BankPort } from "@/lib/ports/bank/bank-port";

const COLUMNS = PAYEE_CSV_COLUMNS;
const HEADER = COLUMNS.join(",");

/**
 * Adds the payees of a CSV file, line by line. A line that is wrong is reported and adds nothing; the others are added, so
 * that a corrected file can be sent again: what is there already is reported as such. Each payee waits for its own
 * confirmation. No report repeats an account number.
 * @param text with the header `name,kind,email,account holder,account kind,routing number,account number`
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for another header, no lines, or
 * more than MAXIMUM_IMPORTED_LINES
 */
export async function importPayees(
  services: Pick<Services, "pool" | "wake">,
  bank: BankPort,
  context: Context<MemberActor>,
  text: string,
): Promise<ImportedLine[]> {
  await requireDecider(services.pool, context, "import payees");
  const [header, ...records] = parseCsv(text);
  if (header?.fields.map((field) => field.trim().toLowerCase()).join(",") !== HEADER) {
    throw new AppError("INVALID_PARAMETERS", `The first line must be: ${HEADER}. Nothing was added.`);
  }
  if (records.length === 0 || records.length > MAXIMUM_IMPORTED_LINES) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `A file has from 1 to ${MAXIMUM_IMPORTED_LINES} lines below the first. Nothing was added.`,
    );
  }
  const lines: ImportedLine[] = [];
  for (const record of records) lines.push(await importLine(services, bank, context, record));
  return lines;
}

interface CsvRecord {
  /** Of the file, from 1. */
  line: number;
  fields: string[];
}

async function importLine(
  services: Pick<Services, "pool" | "wake">,
  bank: BankPort,
  context: Context<MemberActor>,
  { line, fields }: CsvRecord,
): Promise<ImportedLine> {
  const name = (fields[0] ?? "").trim().slice(0, 60);
  if (fields.length !== COLUMNS.length) {
    return { line, name, problem: `It has ${fields.length} fields, not ${COLUMNS.length}.` };
  }
  const parsed = newPayeeSchema.safeParse(toInput(fields));
  if (!parsed.success) {
    return { line, name, problem: parsed.error.issues.map(problemOf).join(" ") };
  }
  try {
    await addPayee(services, bank, context, parsed.data);
    return { line, name, problem: null };
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_PARAMETERS") {
      return { line, name, problem: error.details[0]?.message ?? error.message };
    }
    throw error;
  }
}

function toInput(fields: readonly string[]) {
  const [
    name = "",
    kind = "",
    email = "",
    holderName = "",
    accountKind = "",
    routingNumber = "",
    accountNumber = "",
  ] = fields.map((field) => field.trim());
  const hasAccount = [holderName, accountKind, routingNumber, accountNumber].some((field) => field !== "");
  return {
    name,
    kind: kind.toUpperCase(),
    email: email === "" ? null : email,
    account: hasAccount
      ? { holderName, accountKind: accountKind.toUpperCase(), routingNumber, accountNumber }
      : null,
  };
}

const FIELD: Readonly<Record<string, string>> = {
  name: "The name",
  kind: "The kind",
  email: "The email",
  holderName: "The account holder",
  accountKind: "The account kind",
  routingNumber: "The routing number",
  accountNumber: "The account number",
};
const CHOICE: Readonly<Record<string, string>> = {
  kind: "must be BUSINESS or INDIVIDUAL",
  accountKind: "must be CHECKING or SAVINGS",
};

function problemOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  const field = String(path.at(-1));
  return `${FIELD[field] ?? "It"} ${CHOICE[field] ?? message}.`;
}

/** RFC 4180: quoted fields may contain commas, quotes and line breaks. Blank lines are left out. */
function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let fields: string[] = [];
  let field = "";
  let isQuoted = false;
  let line = 1;
  let startedAt = 1;
  const endRecord = () => {
    fields.push(field);
    if (fields.some((one) => one.trim() !== "")) records.push({ line: startedAt, fields });
    fields = [];
    field = "";
    startedAt = line;
  };
  const characters = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at];
    if (character === "\n") line++;
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (characters[at + 1] === '"') field += characters[++at];
      else isQuoted = false;
    } else if (character === '"' && field.trim() === "") {
      field = "";
      isQuoted = true;
    } else if (character === ",") {
      fields.push(field);
      field = "";
    } else if (character === "\n") endRecord();
    else field += character;
  }
  endRecord();
  return records;
}
