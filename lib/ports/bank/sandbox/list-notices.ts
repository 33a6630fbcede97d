import type { Pool } from "pg";
import type { BankNotice } from "@/lib/ports/bank/bank-port";

interface NoticeRow {
  notice_reference: string;
  kind: BankNotice["kind"];
  code: string | null;
  due_at: Date;
  transfer_id: string | null;
  deposit_reference: string | null;
  account_id: string | null;
  amount_in_cents: number | null;
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT" | null;
  payer_name: string | null;
}

/** Reads `sandbox_bank_notices_undelivered` in its order and stops at `limit`; see BankPort.notices. */
export async function listNotices(
  pool: Pool,
  input: { organizationId: string; businessNow: Date; limit: number },
): Promise<BankNotice[]> {
  const { rows } = await pool.query<NoticeRow>({
    name: "sandbox_bank_list_notices",
    text: `select n.notice_reference, n.kind, n.code, n.due_at, n.transfer_id, n.deposit_reference,
                  d.account_id, d.amount_in_cents, d.origin, d.payer_name
             from sandbox_bank_notices n
             left join sandbox_bank_deposits d
               on d.organization_id = n.organization_id and d.reference = n.deposit_reference
            where n.organization_id = $1 and n.deliveries_left > 0 and n.due_at <= $2
            order by n.due_at, n.notice_reference
            limit $3`,
    values: [input.organizationId, input.businessNow, input.limit],
  });
  return rows.map((row) => toNotice(input.organizationId, row));
}

function toNotice(organizationId: string, row: NoticeRow): BankNotice {
  const common = { noticeReference: row.notice_reference, organizationId, occurredAt: row.due_at };
  if (row.kind === "SETTLED" || row.kind === "RETURNED") {
    return { ...common, kind: row.kind, transferId: known(row.transfer_id), code: row.code };
  }
  const depositReference = known(row.deposit_reference);
  if (row.kind === "DEPOSIT_RETURNED") {
    return { ...common, kind: row.kind, depositReference, code: known(row.code) };
  }
  return {
    ...common,
    kind: row.kind,
    depositReference,
    accountId: known(row.account_id),
    amountInCents: known(row.amount_in_cents),
    origin: known(row.origin),
    payerName: known(row.payer_name),
  };
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error("Sandbox bank: a notice lacks what its kind has");
  return value;
}
