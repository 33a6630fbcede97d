import type { Pool } from "pg";
import type { BankOrderState } from "@/lib/ports/bank/bank-port";

interface OrderRow {
  reference: string;
  expected_settlement_at: Date;
  refusal_code: string | null;
  last_kind: "SETTLED" | "RETURNED" | null;
  last_code: string | null;
}

/** An order's state is its latest notice that is due at this business time; see BankPort.find. */
export async function findOrder(
  pool: Pool,
  input: { organizationId: string; transferId: string; businessNow: Date },
): Promise<BankOrderState | null> {
  const { rows } = await pool.query<OrderRow>({
    name: "sandbox_bank_find_order",
    text: `select o.reference, o.expected_settlement_at, o.refusal_code,
                  latest.kind as last_kind, latest.code as last_code
             from sandbox_bank_orders o
             left join lateral (
               select n.kind, n.code
                 from sandbox_bank_notices n
                where n.organization_id = o.organization_id and n.transfer_id = o.transfer_id and n.due_at <= $3
                order by n.due_at desc
                limit 1) latest on true
            where o.organization_id = $1 and o.transfer_id = $2`,
    values: [input.organizationId, input.transferId, input.businessNow],
  });
  const row = rows[0];
  if (!row) return null;
  const { reference, expected_settlement_at: expectedSettlementAt } = row;
  if (row.refusal_code !== null) {
    return { reference, state: "REFUSED", expectedSettlementAt, code: row.refusal_code };
  }
  return { reference, state: row.last_kind ?? "PENDING", expectedSettlementAt, code: row.last_code };
}
