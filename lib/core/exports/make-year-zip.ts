import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { configure, ZipWriter } from "@zip.js/zip.js";
import { AppError } from "@/lib/contract/error";
import { writeCents } from "@/lib/contract/format-cents";
import type { YearAccountView } from "@/lib/contract/views/year-end-view";
import { type AddedUpYear, addUpYear } from "@/lib/core/exports/add-up-year";
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

const COLUMNS: readonly CsvColumn<YearAccountView>[] = [
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

// Workers would load scripts by address, which a server has none of.
configure({ useWebWorkers: false });

/** At a time, in this process: each reads a whole year. */
const MAXIMUM_AT_ONCE = 2;
let underWay = 0;

export interface YearZip {
  name: string;
  /** Reads the file and removes it at the end, also where nobody reads on. */
  chunks: AsyncGenerator<Uint8Array>;
}

/**
 * Makes the accountant's file of a year. All of it is read in one moment of the database, so that the files agree with
 * each other; written to a temporary file and not to memory; and whole before the first byte goes out, so that nobody
 * gets half a year without knowing, and no slow browser keeps the database's moment open.
 * @throws AppError `ACCESS_DENIED` for a viewer, `INVALID_PARAMETERS` for a year without books, `RATE_LIMIT_EXCEEDED`
 *   while others are being made; Error where the books do not add up.
 */
export async function makeYearZip(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  wanted: number,
): Promise<YearZip> {
  requireAccountant(context);
  if (underWay >= MAXIMUM_AT_ONCE) {
    throw new AppError("RATE_LIMIT_EXCEEDED", "Other files are being made. Try again in a moment.");
  }
  underWay += 1;
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
    underWay -= 1;
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
    throw new AppError("INVALID_PARAMETERS", `There are no books of ${wanted}. Choose a year of the page.`);
  }
  const proof = await addUpYear(client, organizationId, year);
  if (!proof.addsUp) throw new Error(`The books of ${organizationId} do not add up in ${wanted}`);
  const outside = await listOutsideAccounts(client, organizationId, year);
  const names = new Map(proof.accounts.map(({ id, name }) => [id, name]));
  const booked = (ledgerId: string | null) => readBooked(client, organizationId, year, ledgerId);

  const zip = new ZipWriter<void>(Writable.toWeb(createWriteStream(path, { mode: 0o600 })));
  // A pod that was never used has its line in the list of accounts; thousands of empty files would hide the others.
  const used = proof.accounts.filter(({ count, openingInCents }) => count > 0 || openingInCents !== 0);
  // One after the other: they share the connection.
  await add(
    zip,
    "README.txt",
    once(yearReadme(year, proof, { used, outside }, { byName: actor.name, at: now })),
  );
  await add(zip, `accounts-${wanted}.csv`, accountsCsv(proof.accounts));
  for (const account of used) {
    // What only has a balance need not be asked for one by one.
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
    // Nothing is read ahead: memory holds one batch.
    { highWaterMark: 0 },
  );
  await zip.add(name, stream);
}

/** Every account of the books with its year, one a line. */
async function* accountsCsv(accounts: readonly YearAccountView[]): AsyncGenerator<string> {
  yield csvHead(COLUMNS);
  yield csvLines(COLUMNS, accounts);
}

/** What is inside the zip and what it adds up to, for whoever opens it first. */
function yearReadme(
  year: Year,
  proof: AddedUpYear,
  { used, outside }: { used: readonly YearAccountView[]; outside: readonly OutsideAccount[] },
  made: { byName: string; at: Date },
): string {
  return [
    `The books of ${oneLine(year.organizationName)}, ${year.firstDay} to ${year.lastDay}`,
    `Made by ${oneLine(made.byName)} at ${made.at.toISOString()}. Days are calendar days in ${year.timeZone}.`,
    ...(year.goesOn ? ["The year goes on: this is what is booked so far."] : []),
    "",
    "IT ADDS UP",
    row("Held at the beginning", proof.openingInCents),
    row(`Came in (${proof.cameInCount})`, proof.cameInInCents),
    row(`Went out (${proof.wentOutCount})`, -proof.wentOutInCents),
    row(`Between own accounts (${proof.movedCount}), together`, 0),
    row("Held at the end", proof.closingInCents),
    "The entries of every account give the balance that its ledger says, to the cent.",
    "",
    "FILES",
    `accounts-${year.year}.csv  Every account of the books with its balance at both ends.`,
    ...(used.length < proof.accounts.length
      ? ["Accounts without a balance or a movement have no file of their own."]
      : []),
    ...used.map(
      (account) =>
        `accounts/${accountFileName(account)}.csv  ${oneLine(account.name)}: ${account.count} movements, ` +
        `${writeCents(account.openingInCents)} to ${writeCents(account.closingInCents)}.`,
    ),
    ...outside.map(
      (account) =>
        `outside/${accountFileName(account)}.csv  ${oneLine(account.name)}: ${account.count} transactions as ` +
        `${oneLine(account.institutionName ?? "its institution")} tells them; outside the books.`,
    ),
    `books-${year.year}.journal  The books as plain text for hledger or ledger, with a check of each balance.`,
    "",
    "Amounts in CSV are dollars with a point, negative where money left. A text that begins like a formula has an",
    "apostrophe before it, so that no spreadsheet runs it.",
    "",
  ].join("\n");
}
