import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";

/** See SandboxBankDriver.returnOrder. */
export async function returnOrder(
  pool: Pool,
  input: { organizationId: string; transferId: string; code: string; businessNow: Date },
): Promise<boolean> {
  const { rows } = await pool.query<{ is_returned: boolean }>({
    name: "sandbox_bank_return_order",
    text: "select sandbox_bank_return_order($1, $2, $3, $4, $5) as is_returned",
    values: [input.organizationId, input.transferId, uuidv7(), input.code, input.businessNow],
  });
  return rows[0]?.is_returned === true;
}

/** See SandboxBankDriver.returnDeposit. */
export async function returnDeposit(
  pool: Pool,
  input: { organizationId: string; depositReference: string; code: string; businessNow: Date },
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "sandbox_bank_return_deposit",
    text: `insert into sandbox_bank_notices (organization_id, notice_reference, deposit_reference, kind, code, due_at)
           values ($1, $2, $3, 'DEPOSIT_RETURNED', $4, $5)
           on conflict (organization_id, deposit_reference, kind) do nothing`,
    values: [input.organizationId, uuidv7(), input.depositReference, input.code, input.businessNow],
  });
  return rowCount === 1;
}
