import type { Pool } from "pg";
import type { BankNotice } from "@/lib/ports/bank/bank-port";

interface NoticeRow {
  notice_reference: string;
  transfer_id: string;
  kind: "SETTLED" | "RETURNED";
  code: string | null;
  due_at: Date;
}

/** Reads `sandbox_bank_notices_undelivered` in its order and stops at `limit`; see BankPort.notices. */
export async function listNotices(
  pool: Pool,
  input: { organizationId: string; businessNow: Date; limit: number },
): Promise<BankNotice[]> {
  const { rows } = await pool.query<NoticeRow>({
    name: "sandbox_bank_list_notices",
    text: `select notice_reference, transfer_id, kind, code, due_at
             from sandbox_bank_notices
            where organization_id = $1 and deliveries_left > 0 and due_at <= $2
            order by due_at, notice_reference
            limit $3`,
    values: [input.organizationId, input.businessNow, input.limit],
  });
  return rows.map((row) => ({
    noticeReference: row.notice_reference,
    transferId: row.transfer_id,
    organizationId: input.organizationId,
    kind: row.kind,
    code: row.code,
    occurredAt: row.due_at,
  }));
}
