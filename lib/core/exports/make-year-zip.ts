import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { configure, ZipWriter } from "@zip.js/zip.js";
import { AppError } from "@/lib/contract/error";
import { writeCents } from "@/lib/contract/format-cents";
import { type AddedUpYear, addUpYear, type YearAccount } from "@/lib/core/exports/add-up-year";
import { findYear, type Year } from "@/lib/core/exports/find-year";
import { type JournalSubject, journal } from "@/lib/core/exports/journal";
import { listOutsideAccounts, type OutsideAccount, outsideCsv } from "@/lib/core/exports/outside-csv";
import { readBooked } from "@/lib/core/exports/read-booked";
import { accountCsv, accountFileName, zipName } from "@/lib/core/exports/year-csv";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { type CsvColumn, csvHead, csvLines } from "@/lib/core/shared/csv";
import { requireAccountant } from "@/lib/core/shared/roles";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const row = (label: string, cents: number) => `${label.padEnd(44)} ${writeCents(cents).padStart(18)}`;

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

const COLUMNS: readonly CsvColumn<YearAccount>[] = [
  { header: "Account", value: ({ name }) => name },
  { header: "State", value: ({ isClosed }) => (isClosed ? "Closed" : "Open") },
  { header: "Opening balance", value: ({ openingInCents }) => BigInt(openingInCents) },
  { header: "In", value: ({ inInCents }) => BigInt(inInCents) },
  { header: "Out", value: ({ outInCents }) => BigInt(-outInCents) },
  { header: "Closing balance", value: ({ closingInCents }) => BigInt(closingInCents) },
  { header: "Movements", value: ({ count }) => count },
  { header: "File", value: (account) => `accounts/${accountFileName(account)}.csv` },
  { header: "Account id", value: ({ id }) => id },
];

// Web workers would load scripts by URL, which does not work on a server.
configure({ useWebWorkers: false });

/** Concurrent exports in this process: each reads a whole year. */
const MAXIMUM_AT_ONCE = 2;
let inProgress = 0;

export interface YearZip {
  name: string;
  /** Streams the file and deletes it at the end, even if the reader stops early. */
  chunks: AsyncGenerator<Uint8Array>;
}

/**
 * Makes the accountant's file of a year. All reads see one database snapshot, so the files agree. The ZIP is completed
 * in a temporary file before the first byte is sent: no one gets half a year unknowingly, and a slow browser cannot
 * keep the snapshot open.
 * @throws AppError `ACCESS_DENIED` for a viewer, `INVALID_PARAMETERS` for a year without books, `RATE_LIMIT_EXCEEDED`
 *   while others are being made; Error if the books do not add up.
 */
export async function makeYearZip(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  wanted: number,
): Promise<YearZip> {
  requireAccountant(context);
  if (inProgress >= MAXIMUM_AT_ONCE) {
    throw new AppError("RATE_LIMIT_EXCEEDED", "Other exports are in progress. Try again in a moment.");
  }
  inProgress += 1;
  const folder = await mkdtemp(join(tmpdir(), "sluice-year-"));
  try {
    const path = join(folder, "year.zip");
    const year = await inTransaction(
      services.pool,
      async (client) => await writeZip(client, context, wanted, path),
      { isolation: "repeatable read", readOnly: true },
    );
    return { name: zipName(year.organizationName, year.year), chunks: readAndRemove(path, folder) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    inProgress -= 1;
  }
}

async function* readAndRemove(path: string, folder: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeZip(
  client: Queryable,
  context: Context<MemberActor>,
  wanted: number,
  path: string,
): Promise<Year> {
  const { organizationId, actor, now } = context;
  const { year, years } = await findYear(client, context, wanted);
  if (!years.includes(wanted)) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `There are no books for ${wanted}. Choose a year listed on the page.`,
    );
  }
  const proof = await addUpYear(client, organizationId, year);
  if (!proof.addsUp) throw new Error(`The books of ${organizationId} do not add up in ${wanted}`);
  const outside = await listOutsideAccounts(client, organizationId, year);
  const names = new Map(proof.accounts.map(({ id, name }) => [id, name]));
  const booked = (ledgerId: string | null) => readBooked(client, organizationId, year, ledgerId);

  const zip = new ZipWriter<void>(Writable.toWeb(createWriteStream(path, { mode: 0o600 })));
  // Unused pods appear in the list of accounts; thousands of empty files would hide the others.
  const used = proof.accounts.filter(({ count, openingInCents }) => count > 0 || openingInCents !== 0);
  // One after another: they share the connection.
  await add(
    zip,
    "README.txt",
    once(yearReadme(year, proof, { used, outside }, { byName: actor.name, at: now })),
  );
  await add(zip, `accounts-${wanted}.csv`, accountsCsv(proof.accounts));
  for (const account of used) {
    // Accounts with a balance but no entries need no query.
    const batches = account.count === 0 ? nothing() : booked(account.id);
    const lines = accountCsv(account, year, batches, (id) => names.get(id) ?? null);
    await add(zip, `accounts/${accountFileName(account)}.csv`, lines);
  }
  for (const { id, name } of outside) {
    await add(
      zip,
      `outside/${accountFileName({ id, name })}.csv`,
      outsideCsv(client, organizationId, id, year),
    );
  }
  await add(zip, `books-${wanted}.journal`, journal(proof, journalOf(year), booked(null)));
  await zip.close();
  return year;
}

function journalOf({ year, goesOn, ...subject }: Year): JournalSubject {
  return {
    ...subject,
    fileName: `books-${year}.journal`,
    openingTitle: `Opening balances of ${year}`,
    closingTitle: `Balances at the end of ${goesOn ? subject.lastDay : year}`,
  };
}

async function* nothing(): AsyncGenerator<never> {}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function add(zip: ZipWriter<void>, name: string, texts: AsyncGenerator<string>): Promise<void> {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
    },
    // No read-ahead: memory holds one batch.
    { highWaterMark: 0 },
  );
  await zip.add(name, stream);
}

/** One line per account with its year. */
async function* accountsCsv(accounts: readonly YearAccount[]): AsyncGenerator<string> {
  yield csvHead(COLUMNS);
  yield csvLines(COLUMNS, accounts);
}

/** Explains the ZIP's files and sums. */
function yearReadme(
  year: Year,
  proof: AddedUpYear,
  { used, outside }: { used: readonly YearAccount[]; outside: readonly OutsideAccount[] },
  made: { byName: string; at: Date },
): string {
  return [
    `Books of ${oneLine(year.organizationName)}, ${year.firstDay} to ${year.lastDay}`,
    `Made by ${oneLine(made.byName)} at ${made.at.toISOString()}. Days are calendar days in ${year.timeZone}.`,
    ...(year.goesOn ? ["The year is not over: these are the entries so far."] : []),
    "",
    "SUMMARY",
    row("Opening balance", proof.openingInCents),
    row(`Came in (${proof.cameInCount})`, proof.cameInInCents),
    row(`Went out (${proof.wentOutCount})`, -proof.wentOutInCents),
    row(`Between own accounts (${proof.movedCount}), net`, 0),
    row("Closing balance", proof.closingInCents),
    "The entries of every account add up to its ledger balance, to the cent.",
    "",
    "FILES",
    `accounts-${year.year}.csv  Every account with its opening and closing balance.`,
    ...(used.length < proof.accounts.length
      ? ["Accounts without a balance or a movement have no file."]
      : []),
    ...used.map(
      (account) =>
        `accounts/${accountFileName(account)}.csv  ${oneLine(account.name)}: ${account.count} movements, ` +
        `${writeCents(account.openingInCents)} to ${writeCents(account.closingInCents)}.`,
    ),
    ...outside.map(
      (account) =>
        `outside/${accountFileName(account)}.csv  ${oneLine(account.name)}: ${account.count} transactions, as ` +
        `${oneLine(account.institutionName ?? "its institution")} reported them; not part of the books.`,
    ),
    `books-${year.year}.journal  The books as plain text for hledger or ledger, with a check of every balance.`,
    "",
    "Amounts in CSV files are dollars with a decimal point, negative if money left. A text that looks like a formula",
    "starts with an apostrophe, so that no spreadsheet executes it.",
    "",
  ].join("\n");
}
