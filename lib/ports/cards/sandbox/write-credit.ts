import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import type { CardPurchase } from "@/lib/ports/cards/card-network-port";
import { CardNotIssued } from "@/lib/ports/cards/sandbox/card-not-issued";

/** Money that a card brings in, told from now on; see SandboxCardDriver.refund and .payout. */
export async function writeCredit(
  pool: Pool,
  kind: "REFUND" | "PAYOUT",
  credit: CardPurchase,
  businessNow: Date,
): Promise<void> {
  const { rowCount } = await pool.query({
    name: "sandbox_cards_write_credit",
    text: `insert into sandbox_card_notices (
             organization_id, notice_reference, kind, card_id, amount_in_cents, merchant, category, due_at)
           select organization_id, $3, $4, card_id, $5, $6, $7, $8
             from sandbox_cards where organization_id = $1 and card_id = $2`,
    values: [
      credit.organizationId,
      credit.cardId,
      uuidv7(),
      kind,
      credit.amountInCents,
      credit.merchant,
      credit.category,
      businessNow,
    ],
  });
  if (rowCount !== 1) throw new CardNotIssued(credit.cardId);
}
