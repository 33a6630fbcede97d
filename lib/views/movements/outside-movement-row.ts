import type { ExternalTransactionStatus, FlowDirection } from "@/lib/contract/external-transaction";
import type { SpendingCategory } from "@/lib/contract/spending-category";
import type { Queryable } from "@/lib/db/transaction";

/** A movement that was seen on a connected account, as lists and files of members show it. */
export interface OutsideMovementRow {
  id: string;
  transaction_date: Date;
  created_at: Date;
  status: ExternalTransactionStatus;
  direction: FlowDirection;
  amount_in_cents: number;
  description: string;
  merchant_name: string | null;
  category: SpendingCategory | null;
  account_id: string;
  account_name: string;
  transfer_id: string | null;
  /** The account at the other end of the transfer of ours whose other side it is. */
  other_name: string | null;
}

/** The outside transactions with these ids, newest first; not those that the institution took back. */
export async function readOutsideRows(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<OutsideMovementRow[]> {
  const { rows } = await database.query<OutsideMovementRow>({
    name: "read_outside_movements",
    text: `
      select x.id, x.transaction_date, x.created_at, x.status, x.direction, x.amount_in_cents, x.description,
          x.merchant_name, x.category, x.account_id, a.name as account_name, x.transfer_id, other.name as other_name
        from external_transactions x
        join accounts a on a.organization_id = $1 and a.id = x.account_id
        left join transfers t on t.organization_id = $1 and t.id = x.transfer_id
        left join accounts other on other.organization_id = $1
          and other.id = case when x.direction = 'MONEY_OUT' then t.destination_account_id else t.source_account_id end
       where x.organization_id = $1 and x.id = any ($2::uuid[]) and x.vanished_at is null
       order by x.transaction_date desc, x.id desc`,
    values: [organizationId, ids],
  });
  return rows;
}

export function outsidePartyNames(row: OutsideMovementRow): { fromName: string; toName: string } {
  const other = row.other_name ?? row.merchant_name ?? (row.description || "Somebody outside");
  return row.direction === "MONEY_OUT"
    ? { fromName: row.account_name, toName: other }
    : { fromName: other, toName: row.account_name };
}
