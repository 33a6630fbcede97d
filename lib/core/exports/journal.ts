import type { AddedUpYear, YearAccount } from "@/lib/core/exports/add-up-year";
import type { Booked } from "@/lib/core/exports/read-booked";
import { decimalText } from "@/lib/core/shared/csv";
import { OUTSIDE_SLUICE } from "@/lib/words/names";

/** The counterpart of everything that crosses the organization's border. */
const OUTSIDE = "equity:outside";

/** Whose books, and for which period. */
export interface JournalSubject {
  organizationName: string;
  /** `YYYY-MM-DD` */
  firstDay: string;
  lastDay: string;
  timeZone: string;
  fileName: string;
  /** Null: the books start empty. */
  openingTitle: string | null;
  closingTitle: string;
}

/**
 * Books as plain text for hledger and ledger: the accounts, opening balances, each entry as a transaction with two
 * postings, and an assertion of every closing balance, which the reader's program checks.
 */
export async function* journal(
  proof: Pick<AddedUpYear, "accounts">,
  subject: JournalSubject,
  batches: AsyncIterable<readonly Booked[]>,
): AsyncGenerator<string> {
  const names = journalNames(proof.accounts);
  const nameOf = (ledgerId: string) => names.get(ledgerId) ?? OUTSIDE;
  const opening = proof.accounts.map(({ id, openingInCents }) => ({ id, cents: BigInt(openingInCents) }));
  const closing = proof.accounts.map(({ id, closingInCents }) => ({ id, cents: BigInt(closingInCents) }));
  yield head(subject, [...names.values(), OUTSIDE]);
  if (subject.openingTitle !== null) {
    yield transaction(subject.firstDay, subject.openingTitle, [
      ...opening.map(({ id, cents }) => posting(nameOf(id), cents)),
      posting(OUTSIDE, -total(opening)),
    ]);
  }
  for await (const batch of batches) yield batch.map((booked) => entry(booked, nameOf)).join("");
  yield transaction(subject.lastDay, subject.closingTitle, [
    ...closing.map(({ id, cents }) => posting(nameOf(id), 0n, cents)),
    posting(OUTSIDE, 0n, -total(closing)),
  ]);
}

const total = (sides: readonly { cents: bigint }[]) => sides.reduce((sum, { cents }) => sum + cents, 0n);

function head(
  { organizationName, fileName, firstDay, lastDay, timeZone }: JournalSubject,
  names: string[],
): string {
  return [
    `; Books of ${plainText(organizationName)}, ${firstDay} to ${lastDay}, exported from Sluice.`,
    `; Dates are calendar days in ${timeZone}. Check with: hledger -f ${fileName} check`,
    "",
    "commodity $",
    "    format $1000.00",
    "",
    ...names.map((name) => `account ${name}`),
    "",
    "",
  ].join("\n");
}

function entry(booked: Booked, nameOf: (ledgerId: string) => string): string {
  const { amountInCents, creditLedgerId, debitLedgerId } = booked;
  return transaction(
    booked.day,
    describe(booked, nameOf),
    [
      posting(nameOf(creditLedgerId), BigInt(amountInCents)),
      posting(nameOf(debitLedgerId), BigInt(-amountInCents)),
    ],
    booked.causeId,
    [
      ["entry", booked.id],
      ["kind", booked.kind.toLowerCase()],
      ["time", booked.clock],
      ["proposed-by", booked.proposedBy],
      ["approved-by", booked.approvedBy],
      ["note", booked.approvalNote],
      ["reason", booked.reason],
    ],
  );
}

function describe(booked: Booked, nameOf: (ledgerId: string) => string): string {
  const isInside = nameOf(booked.debitLedgerId) !== OUTSIDE && nameOf(booked.creditLedgerId) !== OUTSIDE;
  const who = plainText(isInside ? "Between own accounts" : (booked.outsideName ?? OUTSIDE_SLUICE));
  const what = plainText(booked.description ?? "");
  return [who || OUTSIDE_SLUICE, what].filter(Boolean).join(", ");
}

function transaction(
  day: string,
  description: string,
  postings: readonly string[],
  code: string | null = null,
  tags: readonly (readonly [string, string | null])[] = [],
): string {
  const comments = tags.flatMap(([name, value]) => {
    const text = tagValue(value ?? "");
    return text === "" ? [] : [`    ; ${name}: ${text}`];
  });
  const first = `${day} *${code === null ? "" : ` (${code})`} ${description}`;
  return [first, ...comments, ...postings, "", ""].join("\n");
}

/** Two spaces end an account name. */
function posting(account: string, cents: bigint, asserted?: bigint): string {
  const assertion = asserted === undefined ? "" : ` = ${amount(asserted)}`;
  return `    ${account}  ${amount(cents)}${assertion}`;
}

const amount = (cents: bigint) => `$${decimalText(cents)}`;

/**
 * Unique account names for the journal. In hledger a colon nests accounts, two spaces end a name, and a semicolon
 * starts a comment, so names typed by people must not contain them.
 */
function journalNames(accounts: readonly YearAccount[]): Map<string, string> {
  const wanted = accounts.map(({ id, name }) => ({
    id,
    name: plainText(name).replace(/:/g, " ").replace(/ +/g, " ").trim() || "Account",
  }));
  const counts = new Map<string, number>();
  for (const { name } of wanted) counts.set(name, (counts.get(name) ?? 0) + 1);
  // A name that already looks suffixed gets a suffix too; otherwise two accounts could share a name.
  const isUnique = (name: string) => counts.get(name) === 1 && !/[0-9a-f]{8}$/.test(name);
  return new Map(
    wanted.map(({ id, name }) => [id, `assets:${isUnique(name) ? name : `${name} ${id.slice(-8)}`}`]),
  );
}

/** A comma ends a tag's value, and what follows may be another tag: `, approved-by: …` would name an approver. */
const tagValue = (text: string) => plainText(text).replaceAll(",", ";");

/** One line without characters that have a meaning in a journal; words stay as they are. */
function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp};|]/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
}
