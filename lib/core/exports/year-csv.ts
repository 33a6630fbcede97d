import type { YearAccount } from "@/lib/core/exports/add-up-year";
import type { Year } from "@/lib/core/exports/find-year";
import type { Booked } from "@/lib/core/exports/read-booked";
import { type CsvColumn, csvHead, csvLines } from "@/lib/core/shared/csv";

interface Line {
  day: string;
  clock: string | null;
  what: string;
  booked: Booked | null;
  counterparty: string | null;
  changeInCents: bigint | null;
  balanceInCents: bigint;
}

const COLUMNS: readonly CsvColumn<Line>[] = [
  { header: "Date", value: ({ day }) => day },
  { header: "Time", value: ({ clock }) => clock },
  { header: "What", value: ({ what }) => what },
  { header: "Counterparty", value: ({ counterparty }) => counterparty },
  { header: "Description", value: ({ booked }) => booked?.description ?? booked?.cardName ?? null },
  { header: "Proposed by", value: ({ booked }) => booked?.proposedBy ?? null },
  { header: "Approved by", value: ({ booked }) => booked?.approvedBy ?? null },
  { header: "Note", value: ({ booked }) => booked?.approvalNote ?? null },
  { header: "Reason", value: ({ booked }) => booked?.reason ?? null },
  { header: "Amount", value: ({ changeInCents }) => changeInCents },
  { header: "Balance", value: ({ balanceInCents }) => balanceInCents },
  { header: "Transfer id", value: ({ booked }) => booked?.causeId ?? null },
];

const WHAT = { TRANSFER: "Transfer", RETURN: "Returned by the bank", CARD: "Card" };

/**
 * One account's year as CSV: opening balance, each movement with the balance after it, closing balance.
 * @param nameOf the name of another managed account; null for outside accounts
 * @throws Error if the movements do not lead to the closing balance, so that no inconsistent file is sent.
 */
export async function* accountCsv(
  account: YearAccount,
  year: Year,
  batches: AsyncIterable<readonly Booked[]>,
  nameOf: (ledgerId: string) => string | null,
): AsyncGenerator<string> {
  let balance = BigInt(account.openingInCents);
  const balanceLine = (day: string, what: string): Line => ({
    day,
    clock: null,
    what,
    booked: null,
    counterparty: null,
    changeInCents: null,
    balanceInCents: balance,
  });
  yield csvHead(COLUMNS);
  yield csvLines(COLUMNS, [balanceLine(year.firstDay, "Opening balance")]);
  for await (const batch of batches) {
    const lines = batch.map((booked): Line => {
      const isIn = booked.creditLedgerId === account.id;
      const change = BigInt(isIn ? booked.amountInCents : -booked.amountInCents);
      balance += change;
      return {
        day: booked.day,
        clock: booked.clock,
        what: WHAT[booked.kind],
        booked,
        counterparty: nameOf(isIn ? booked.debitLedgerId : booked.creditLedgerId) ?? booked.outsideName,
        changeInCents: change,
        balanceInCents: balance,
      };
    });
    yield csvLines(COLUMNS, lines);
  }
  if (balance !== BigInt(account.closingInCents)) {
    throw new Error(`The movements of account ${account.id} do not lead to its balance in ${year.year}`);
  }
  yield csvLines(COLUMNS, [balanceLine(year.lastDay, "Closing balance")]);
}

const LONGEST = 40;

/** Part of a file name that every system accepts: lowercase letters, digits, and hyphens. May be empty. */
function slug(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
}

/** `operating-66c02029`: with the end of its ID, because two accounts can share a name. */
export function accountFileName({ id, name }: { id: string; name: string }): string {
  return `${slug(name) || "account"}-${id.slice(-8)}`;
}

/** `sluice-northwind-studio-2026.zip` */
export function zipName(organizationName: string, year: number): string {
  return `sluice-${slug(organizationName) || "organization"}-${year}.zip`;
}
