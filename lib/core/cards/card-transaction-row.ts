import type { AccountType } from "@/lib/contract/account";
import type { CardTransaction, CardTransactionSubtype, CardType } from "@/lib/contract/card-transaction";

/** The columns of every reader of card transactions: from `card_transactions t` with its card `c` and account `a`. */
export const CARD_TRANSACTION_COLUMNS = `
  t.id, t.card_id, c.card_type, t.account_id, a.name as account_name, a.type as account_type,
  a.deleted_at is not null as account_is_deleted, t.subtype, t.amount_in_cents, t.description, t.created_at,
  t.completed_at`;

export const CARD_TRANSACTION_JOINS = `
  join cards c on c.organization_id = t.organization_id and c.id = t.card_id
  join accounts a on a.organization_id = t.organization_id and a.id = t.account_id`;

export interface CardTransactionRow {
  id: string;
  card_id: string;
  card_type: CardType;
  account_id: string;
  account_name: string;
  account_type: AccountType;
  account_is_deleted: boolean;
  subtype: CardTransactionSubtype;
  amount_in_cents: number;
  description: string;
  created_at: Date;
  completed_at: Date;
}

/** The card transaction as the API shows it (specification, Part 2, "Card transaction"). */
export function toCardTransaction(row: CardTransactionRow): CardTransaction {
  return {
    id: row.id,
    cardId: row.card_id,
    cardType: row.card_type,
    account: {
      id: row.account_id,
      name: row.account_name,
      type: row.account_type,
      isDeleted: row.account_is_deleted,
    },
    direction: row.subtype === "PURCHASE" ? "MONEY_OUT" : "MONEY_IN",
    subtype: row.subtype,
    status: "COMPLETE",
    amountInCents: row.amount_in_cents,
    description: row.description,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at.toISOString(),
  };
}
