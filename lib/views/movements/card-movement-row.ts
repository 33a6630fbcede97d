import type { CardTransactionSubtype } from "@/lib/contract/card-transaction";
import type { SpendingCategory } from "@/lib/contract/spending-category";
import type { Queryable } from "@/lib/db/transaction";

/** A card transaction as lists and files of members show it. */
export interface CardMovementRow {
  id: string;
  created_at: Date;
  completed_at: Date;
  subtype: CardTransactionSubtype;
  amount_in_cents: number;
  description: string;
  category: SpendingCategory | null;
  network_reference: string;
  account_id: string;
  account_name: string;
  card_name: string;
  number_last4: string;
}

/** The card transactions with these ids, newest first. */
export async function readCardRows(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<CardMovementRow[]> {
  const { rows } = await database.query<CardMovementRow>({
    name: "read_card_movements",
    text: `
      select t.id, t.created_at, t.completed_at, t.subtype, t.amount_in_cents, t.description, t.category,
          t.network_reference, t.account_id, a.name as account_name, c.name as card_name, c.number_last4
        from card_transactions t
        join cards c on c.organization_id = $1 and c.id = t.card_id
        join accounts a on a.organization_id = $1 and a.id = t.account_id
       where t.organization_id = $1 and t.id = any ($2::uuid[])
       order by t.created_at desc, t.id desc`,
    values: [organizationId, ids],
  });
  return rows;
}

/** Where its money went from and to; a shop that the network did not name is told as one. */
export function cardPartyNames(row: CardMovementRow): { fromName: string; toName: string } {
  const shop = row.description || "A shop";
  return row.subtype === "PURCHASE"
    ? { fromName: row.account_name, toName: shop }
    : { fromName: shop, toName: row.account_name };
}
