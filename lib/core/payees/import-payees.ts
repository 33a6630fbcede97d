import { AppError } from "@/lib/contract/error";
import {
  MAXIMUM_IMPORTED_LINES,
  newPayeeSchema,
  PAYEE_CSV_ADDRESS_COLUMNS,
  PAYEE_CSV_COLUMNS,
} from "@/lib/contract/payee";
import type { ImportedLine } from "@/lib/contract/views/payees-view";
import { addPayee } from "@/lib/core/payees/give-details";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import type { Services } from "@/lib/platform/services";
import type { BankPort } from "@/lib/ports/bank/bank-port";

const HEADER = PAYEE_CSV_COLUMNS.join(",");
const HEADER_WITH_ADDRESS = [...PAYEE_CSV_COLUMNS, ...PAYEE_CSV_ADDRESS_COLUMNS].join(",");

/**
 * Adds the payees of a CSV file, line by line. A line that is wrong is reported and adds nothing; the others are added, so
 * that a corrected file can be sent again: what is there already is reported as such. Each payee waits for its own
 * confirmation. No report repeats an account number.
 * @param text with the header `name,kind,email,account holder,account kind,routing number,account number`, which
 * `street,city,state,zip` may follow
 * @param formId of the page from which the file is sent: sent again, no account is registered twice
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for another header, no lines, or
 * more than MAXIMUM_IMPORTED_LINES
 */
export async function importPayees(
  services: Pick<Services, "pool" | "wake">,
  bank: BankPort,
  context: Context<MemberActor>,
  text: string,
  formId?: string,
): Promise<ImportedLine[]> {
  await requireDecider(services.pool, context, "import payees");
  const [header, ...records] = parseCsv(text);
  const columns = header?.fields.map((field) => field.trim().toLowerCase()) ?? [];
  if (![HEADER, HEADER_WITH_ADDRESS].includes(columns.join(","))) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `The first line must be: ${bank.capabilities.requiresAddress ? HEADER_WITH_ADDRESS : HEADER}. Nothing was added.`,
    );
  }
  if (records.length === 0 || records.length > MAXIMUM_IMPORTED_LINES) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `A file has from 1 to ${MAXIMUM_IMPORTED_LINES} lines below the first. Nothing was added.`,
    );
  }
  const lines: ImportedLine[] = [];
  for (const record of records) {
    const { line, fields } = record;
    const name = (fields[0] ?? "").trim().slice(0, 60);
    const problem =
      fields.length === columns.length
        ? await importLine(services, bank, context, { fields, formId })
        : `It has ${fields.length} fields, not ${columns.length}.`;
    lines.push({ line, name, problem });
  }
  return lines;
}

interface CsvRecord {
  /** Of the file, from 1. */
  line: number;
  fields: string[];
}

/** @returns what is wrong with the line; null: its payee was added */
async function importLine(
  services: Pick<Services, "pool" | "wake">,
  bank: BankPort,
  context: Context<MemberActor>,
  { fields, formId }: { fields: readonly string[]; formId: string | undefined },
): Promise<string | null> {
  const parsed = newPayeeSchema.safeParse({ ...toInput(fields), formId });
  if (!parsed.success) return parsed.error.issues.map(problemOf).join(" ");
  try {
    await addPayee(services, bank, context, parsed.data);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_PARAMETERS") {
      return error.details[0]?.message ?? error.message;
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
    street = "",
    city = "",
    state = "",
    postalCode = "",
  ] = fields.map((field) => field.trim());
  const isGiven = (...parts: string[]) => parts.some((part) => part !== "");
  const hasAddress = isGiven(street, city, state, postalCode);
  const address = hasAddress ? { street, city, state, postalCode } : null;
  const hasAccount = hasAddress || isGiven(holderName, accountKind, routingNumber, accountNumber);
  return {
    name,
    kind: kind.toUpperCase(),
    email: email === "" ? null : email,
    account: hasAccount
      ? { holderName, accountKind: accountKind.toUpperCase(), routingNumber, accountNumber, address }
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
  street: "The street",
  city: "The city",
  state: "The state",
  postalCode: "The zip",
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
