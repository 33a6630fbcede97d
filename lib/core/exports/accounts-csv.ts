import type { YearAccountView } from "@/lib/contract/views/year-end-view";
import { accountFileName } from "@/lib/core/exports/file-names";
import { type CsvColumn, csvHead, csvLines } from "@/lib/core/shared/csv";

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

/** Every account of the books with its year, one a line. */
export async function* accountsCsv(accounts: readonly YearAccountView[]): AsyncGenerator<string> {
  yield csvHead(COLUMNS);
  yield csvLines(COLUMNS, accounts);
}
