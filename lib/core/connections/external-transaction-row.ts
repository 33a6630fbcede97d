import type {
  ExternalTransaction,
  ExternalTransactionStatus,
  FlowDirection,
} from "@/lib/contract/external-transaction";
import type { SpendingCategory } from "@/lib/contract/spending-category";

/** The columns of every reader of external transactions, from `external_transactions x`. */
export const EXTERNAL_TRANSACTION_COLUMNS = `
  x.id, x.account_id, x.amount_in_cents, x.direction, x.status, x.description, x.transaction_date, x.merchant_name,
  x.category`;

export interface ExternalTransactionRow {
  id: string;
  account_id: string;
  amount_in_cents: number;
  direction: FlowDirection;
  status: ExternalTransactionStatus;
  description: string;
  transaction_date: Date;
  merchant_name: string | null;
  category: SpendingCategory | null;
}

export function toExternalTransaction(row: ExternalTransactionRow): ExternalTransaction {
  return {
    id: row.id,
    accountId: row.account_id,
    amountInCents: row.amount_in_cents,
    direction: row.direction,
    status: row.status,
    description: row.description,
    transactionDate: row.transaction_date.toISOString(),
    merchantName: row.merchant_name,
    category: row.category,
  };
}
