import type { Pool } from "pg";
import { exportBooks } from "@/lib/core/exports/export-books";
import { inTransaction } from "@/lib/db/transaction";
import { checkWithHledger } from "@/lib/testing/hledger";
import { parseJournal, type ReadJournal } from "@/lib/testing/parse-journal";

/** Whatever clock a test has moved, everything that is booked was booked before. */
const AFTER_ALL = new Date("2999-01-01T12:00:00Z");

/**
 * Exports an organization's books and has them read by our own reader and, where it is installed, by hledger; then
 * compares every balance with the ledgers, to the cent.
 * @throws Error naming what does not agree
 */
export async function readExportedBooks(pool: Pool, organizationId: string): Promise<ReadJournal> {
  const { text, balances } = await inTransaction(
    pool,
    async (client) => {
      const books = await exportBooks(client, organizationId, AFTER_ALL, "books.journal");
      const texts: string[] = [];
      for await (const part of books?.texts ?? []) texts.push(part);
      const { rows } = await client.query<{ balance: string }>(
        `select (l.credits_in_cents - l.debits_in_cents)::text as balance
           from ledgers l left join accounts a on a.organization_id = $1 and a.id = l.id
          where l.organization_id = $1 order by a.created_at, l.id`,
        [organizationId],
      );
      return { text: texts.join(""), balances: rows.map(({ balance }) => BigInt(balance)) };
    },
    { isolation: "repeatable read", readOnly: true },
  );
  const read = parseJournal(text);
  checkWithHledger(text, read);
  // Accounts in the order in which they were opened, and the bank's side last.
  const found = [...read.balances.values()];
  if (found.join() !== balances.join())
    throw new Error(`The books say ${found.join()}, the ledgers ${balances.join()}`);
  return read;
}
