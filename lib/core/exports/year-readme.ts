import { writeCents } from "@/lib/contract/format-cents";
import type { YearAccountView } from "@/lib/contract/views/year-end-view";
import type { AddedUpYear } from "@/lib/core/exports/add-up-year";
import { accountFileName } from "@/lib/core/exports/file-names";
import type { Year } from "@/lib/core/exports/find-year";
import type { OutsideAccount } from "@/lib/core/exports/outside-csv";

/** What is inside the zip and what it adds up to, for whoever opens it first. */
export function yearReadme(
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

const row = (label: string, cents: number) => `${label.padEnd(44)} ${writeCents(cents).padStart(18)}`;

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
