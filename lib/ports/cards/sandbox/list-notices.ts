import type { Pool } from "pg";
import type { SpendingCategory } from "@/lib/contract/spending-category";
import type { CardNotice } from "@/lib/ports/cards/card-network-port";

interface NoticeRow {
  notice_reference: string;
  kind: "SETTLED" | "RELEASED" | "REFUND" | "PAYOUT";
  card_id: string;
  authorization_reference: string | null;
  amount_in_cents: number;
  merchant: string;
  category: SpendingCategory | null;
  is_final: boolean;
  due_at: Date;
}

/** Reads `sandbox_card_notices_undelivered` in its order and stops at `limit`; see CardNetworkPort.notices. */
export async function listNotices(
  pool: Pool,
  input: { organizationId: string; businessNow: Date; limit: number },
): Promise<CardNotice[]> {
  const { rows } = await pool.query<NoticeRow>({
    name: "sandbox_cards_list_notices",
    text: `select notice_reference, kind, card_id, authorization_reference, amount_in_cents, merchant, category,
                  is_final, due_at
             from sandbox_card_notices
            where organization_id = $1 and deliveries_left > 0 and due_at <= $2
            order by due_at, notice_reference
            limit $3`,
    values: [input.organizationId, input.businessNow, input.limit],
  });
  return rows.map((row) => toNotice(input.organizationId, row));
}

function toNotice(organizationId: string, row: NoticeRow): CardNotice {
  const said = {
    noticeReference: row.notice_reference,
    organizationId,
    cardId: row.card_id,
    amountInCents: row.amount_in_cents,
    merchant: row.merchant,
    category: row.category,
    occurredAt: row.due_at,
  };
  if (row.kind === "REFUND" || row.kind === "PAYOUT") {
    return { ...said, kind: row.kind, authorizationReference: null };
  }
  if (row.authorization_reference === null) {
    throw new Error(`Sandbox card network: notice ${row.notice_reference} names no authorization`);
  }
  const { authorization_reference: authorizationReference } = row;
  return row.kind === "RELEASED"
    ? { ...said, kind: "RELEASED", authorizationReference }
    : { ...said, kind: "SETTLED", authorizationReference, isFinal: row.is_final };
}
