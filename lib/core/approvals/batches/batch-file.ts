import {
  BATCH_FILE_FIELDS,
  type BatchFile,
  type BatchFileField,
  type BatchFileMatch,
  type BatchFilePreview,
  type PreviewedLine,
  type ProposeBatchFile,
} from "@/lib/contract/approvals/batch-file";
import { AppError } from "@/lib/contract/error";
import { parseCentsIn } from "@/lib/contract/format-cents";
import {
  ACH_LABEL,
  MAXIMUM_BATCH_LINES,
  MAXIMUM_TRANSFER_IN_CENTS,
  MINIMUM_TRANSFER_IN_CENTS,
} from "@/lib/contract/limits";
import { renderedName } from "@/lib/contract/plain-text";
import { PLAIN_MONEY } from "@/lib/contract/reader";
import { checkDrafts, type DraftedLine, proposeBatch } from "@/lib/core/approvals/batches/propose-batch";
import { whatElseItIs } from "@/lib/core/payees/not-csv";
import { type CsvRecord, readCsv } from "@/lib/core/payees/read-csv";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** What other programs call a field, in the order of preference. */
const KNOWN_NAMES: Readonly<Record<BatchFileField, readonly string[]>> = {
  source: ["from", "source", "source account", "from account", "debit account", "paid from"],
  destination: [
    ...["to", "destination", "destination account", "to account", "payee", "payee name", "recipient"],
    ...["recipient name", "vendor", "vendor name", "beneficiary", "supplier", "name", "credit account"],
  ],
  amount: ["amount", "amount usd", "payment amount", "total", "sum", "value", "net pay"],
  description: ["description", "label", "memo", "reference", "statement", "note", "details"],
};

const EXAMPLE_LENGTH = 40;

type ProposingServices = Pick<Services, "pool" | "wake" | "bankCapabilities">;

/**
 * Shows what a file of payments would propose, line by line. Stores nothing.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for a file that cannot be read, has
 * no lines or more than a batch
 */
export async function previewBatchFile(
  services: Pick<Services, "pool" | "bankCapabilities">,
  context: Context<MemberActor>,
  { text, match: given }: BatchFile,
): Promise<BatchFilePreview> {
  await requireDecider(services.pool, context, "propose transfers");
  const file = readFile(text, given);
  const read = await readLines(services, context, file);
  return {
    kind: "READ",
    columns: file.columns,
    match: file.match,
    lacksSource: lacksSource(file.match),
    lines: read.map(({ shown }) => shown),
    totalInCents: read.reduce((sum, { shown }) => sum + (shown.amountInCents ?? 0), 0),
  };
}

/**
 * Proposes a file of payments as one batch, all lines or none.
 * @returns the address of its page
 * @throws AppError as `previewBatchFile`, and for the first line with a problem
 */
export async function proposeBatchFile(
  services: ProposingServices,
  context: Context<MemberActor>,
  { formId, reason, ...file }: ProposeBatchFile,
): Promise<string> {
  const read = readFile(file.text, file.match);
  if (lacksSource(read.match))
    throw new AppError("INVALID_PARAMETERS", `${CHOOSE_SOURCE} Nothing was proposed.`);
  const lines = await readLines(services, context, read);
  const drafts = lines.map(({ draft, shown }) => {
    if (draft !== null && shown.problem === null) return draft;
    throw new AppError(
      "INVALID_PARAMETERS",
      `Line ${shown.fileLine}: ${shown.problem ?? "cannot be read."} Nothing was proposed.`,
    );
  });
  return proposeBatch(services, context, { formId, reason: reason || null, lines: drafts });
}

interface ReadFile extends Pick<BatchFilePreview, "columns" | "match"> {
  records: CsvRecord[];
  columnCount: number;
}

function readFile(text: string, given: BatchFileMatch | null): ReadFile {
  const other = whatElseItIs(text);
  if (other !== null) throw new AppError("INVALID_PARAMETERS", `${other} Nothing was proposed.`);
  const { records } = readCsv(text);
  const [first] = records;
  if (!first?.fields) {
    throw new AppError(
      "INVALID_PARAMETERS",
      "The file is empty or its first line cannot be read. Nothing was proposed.",
    );
  }
  const named = first.fields.slice(0, first.fields.findLastIndex((field) => field !== "") + 1);
  const match = given ?? guessMatch(named);
  const lines = match.hasHeader ? records.slice(1) : records;
  if (lines.length === 0 || lines.length > MAXIMUM_BATCH_LINES) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `A batch has from 1 to ${MAXIMUM_BATCH_LINES} payments; this file has ${lines.length}. Nothing was proposed.`,
    );
  }
  const columns = named.map((name, column) => ({
    name: match.hasHeader ? name.slice(0, EXAMPLE_LENGTH) : null,
    example: (lines.map(({ fields }) => fields?.[column] ?? "").find(Boolean) ?? "").slice(0, EXAMPLE_LENGTH),
  }));
  return { columns, match, records: lines, columnCount: named.length };
}

/** A first guess, which a person checks. Without a known header, the order of Sluice's own. */
function guessMatch(first: readonly string[]): BatchFileMatch {
  const names = first.map((name) =>
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, " ")
      .trim(),
  );
  const found = BATCH_FILE_FIELDS.flatMap((field) => {
    const name = KNOWN_NAMES[field].find((known) => names.includes(known));
    return name === undefined ? [] : [[field, names.indexOf(name)] as const];
  });
  if (found.length > 0) {
    return { hasHeader: true, columns: Object.fromEntries(found), sourceAccountId: null };
  }
  const own: readonly BatchFileField[] =
    first.length >= BATCH_FILE_FIELDS.length ? BATCH_FILE_FIELDS : ["destination", "amount", "description"];
  const columns = Object.fromEntries(own.slice(0, first.length).map((field, column) => [field, column]));
  return { hasHeader: false, columns, sourceAccountId: null };
}

interface ReadLine {
  /** Null where an account or the amount is not known. */
  draft: DraftedLine | null;
  shown: PreviewedLine;
}

async function readLines(
  services: Pick<Services, "pool" | "bankCapabilities">,
  context: Context<MemberActor>,
  { records, match, columnCount }: ReadFile,
): Promise<ReadLine[]> {
  const accounts = await readAccounts(services.pool, context.organizationId);
  const lines = records.map((record, index) => readLine(record, index + 1, { accounts, match, columnCount }));
  const drafts = lines.flatMap(({ draft }) => (draft === null ? [] : [draft]));
  const checked = await checkDrafts(services, context, drafts);
  const problems = new Map(drafts.map((draft, index) => [draft, checked[index]?.problem ?? null]));
  return lines.map(({ draft, shown }) => ({
    draft,
    shown: {
      ...shown,
      problem: shown.problem ?? (draft && (problems.get(draft) ?? null)),
      sameAccountAs: draft && sameAccountAs(lines, draft),
    },
  }));
}

function sameAccountAs(lines: readonly ReadLine[], draft: DraftedLine): number | null {
  const other = lines.find(
    (line) => line.draft !== draft && line.draft?.destinationAccountId === draft.destinationAccountId,
  );
  return other?.shown.number ?? null;
}

interface NamedAccount {
  id: string;
  name: string;
}

/** The most accounts that a file's names are looked up among. */
const MAXIMUM_ACCOUNTS = 5_000;

/** Open accounts and payees by name and by ID; those that a person cannot tell apart share a name. */
async function readAccounts(
  database: Queryable,
  organizationId: string,
): Promise<Map<string, NamedAccount[]>> {
  const { rows } = await database.query<NamedAccount>({
    name: "list_accounts_for_batch",
    text: `select id, name from accounts where organization_id = $1 and deleted_at is null
            order by id limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId],
  });
  const byName = new Map<string, NamedAccount[]>();
  for (const account of rows) {
    const name = renderedName(account.name);
    byName.set(name, [...(byName.get(name) ?? []), account]);
    byName.set(account.id, [account]);
  }
  return byName;
}

interface LineShape {
  accounts: ReadonlyMap<string, NamedAccount[]>;
  match: BatchFileMatch;
  columnCount: number;
}

function readLine(record: CsvRecord, number: number, { accounts, match, columnCount }: LineShape): ReadLine {
  const fields = record.fields ?? [];
  const shown: PreviewedLine = {
    number,
    fileLine: record.line,
    sourceName: "",
    destinationName: "",
    amountInCents: null,
    description: null,
    problem: null,
    sameAccountAs: null,
  };
  const wrong = (problem: string): ReadLine => ({ draft: null, shown: { ...shown, problem } });
  if (
    record.fields === null ||
    fields.length < columnCount ||
    fields.slice(columnCount).some((field) => field !== "")
  ) {
    return wrong("This line does not have as many columns as the first. Check its quotes.");
  }
  const text = (field: BatchFileField) => fields[match.columns[field] ?? -1] ?? "";
  const source = lacksSource(match)
    ? null
    : match.columns.source === undefined
      ? findById(accounts, match.sourceAccountId)
      : find(accounts, text("source"), "source");
  const destination = find(accounts, text("destination"), "destination");
  shown.sourceName =
    source && "account" in source ? source.account.name : text("source").slice(0, EXAMPLE_LENGTH);
  shown.destinationName =
    "account" in destination ? destination.account.name : text("destination").slice(0, EXAMPLE_LENGTH);
  const amountInCents = readAmount(text("amount"));
  shown.amountInCents = amountInCents;
  shown.description = text("description") || null;
  if (source && "problem" in source) return wrong(source.problem);
  if ("problem" in destination) return wrong(destination.problem);
  if (amountInCents === null) return wrong("The amount must be a sum like 1,250.00, of at least one cent.");
  if (shown.description !== null && !ACH_LABEL.test(shown.description)) {
    return wrong(
      "The description must be 1 to 10 letters, digits or spaces: the recipient reads it on the statement.",
    );
  }
  // Nothing is wrong with the line itself.
  if (source === null) return { draft: null, shown };
  const draft = {
    sourceAccountId: source.account.id,
    destinationAccountId: destination.account.id,
    amountInCents,
    description: shown.description,
  };
  return { draft, shown };
}

/** Neither a column nor one account for all lines says where the money comes from. */
const lacksSource = ({ columns, sourceAccountId }: BatchFileMatch) =>
  columns.source === undefined && sourceAccountId === null;

const CHOOSE_SOURCE = "Choose the account that the money comes from.";

type Found = { account: NamedAccount } | { problem: string };

function find(accounts: LineShape["accounts"], name: string, side: "source" | "destination"): Found {
  if (name === "")
    return {
      problem:
        side === "source"
          ? "It does not say where the money comes from."
          : "It does not say where the money goes.",
    };
  const [account, other] = accounts.get(renderedName(name)) ?? [];
  if (!account) return { problem: `There is no account or payee “${name.slice(0, EXAMPLE_LENGTH)}”.` };
  return other
    ? { problem: `Two accounts have the name “${account.name}”. Use the ID from the account’s address.` }
    : { account };
}

function findById(accounts: LineShape["accounts"], id: string | null): Found {
  const [account] = (id !== null && accounts.get(id)) || [];
  return account ? { account } : { problem: CHOOSE_SOURCE };
}

/** Files are written with a point, whatever their reader's country. Null: no amount that can move. */
function readAmount(text: string): number | null {
  const cents = parseCentsIn(PLAIN_MONEY, text);
  return cents !== null && cents >= MINIMUM_TRANSFER_IN_CENTS && cents <= MAXIMUM_TRANSFER_IN_CENTS
    ? cents
    : null;
}
