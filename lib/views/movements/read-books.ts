import type { BookLineView } from "@/lib/contract/views/movements-view";
import type { Queryable } from "@/lib/db/transaction";

interface Row {
  id: string;
  kind: BookLineView["kind"];
  booked_at: Date;
  debit_name: string | null;
  credit_name: string | null;
  amount_in_cents: number;
}

/** The bank partner's side of our books, which is no account of the organization. */
const CLEARING = "The bank, clearing";

/** What was booked of a transfer, or of a card transaction: oldest first, at most once each way. */
export async function readBooks(
  database: Queryable,
  organizationId: string,
  cause: { transferId: string } | { cardTransactionId: string },
): Promise<BookLineView[]> {
  const ofTransfer = "transferId" in cause;
  const { rows } = await database.query<Row>({
    name: ofTransfer ? "books_of_transfer" : "books_of_card_transaction",
    text: `
      select e.id, e.kind, e.booked_at, debit.name as debit_name, credit.name as credit_name, e.amount_in_cents
        from entries e
        left join accounts debit on debit.organization_id = $1 and debit.id = e.debit_ledger_id
        left join accounts credit on credit.organization_id = $1 and credit.id = e.credit_ledger_id
       where e.organization_id = $1 and e.${ofTransfer ? "transfer_id" : "card_transaction_id"} = $2
       order by e.id limit 10`,
    values: [organizationId, ofTransfer ? cause.transferId : cause.cardTransactionId],
  });
  return rows.map((row) => ({
    entryId: row.id,
    kind: row.kind,
    bookedAt: row.booked_at.toISOString(),
    debitName: row.debit_name ?? CLEARING,
    creditName: row.credit_name ?? CLEARING,
    amountInCents: row.amount_in_cents,
  }));
}
