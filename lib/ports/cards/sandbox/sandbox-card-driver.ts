import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import type { AuthorizePurchase, CardPurchase } from "@/lib/ports/cards/card-network-port";
import { CardNotIssued, makePurchase, type PurchaseOutcome } from "@/lib/ports/cards/sandbox/make-purchase";

/** What a member may have the sandbox's merchants do. A real network has no equivalent. */
export interface SandboxCardDriver {
  /**
   * A merchant charges a card: asks `authorize` now and, if approved, settles later as the cents of the amount say
   * (docs/sandbox-cards.md).
   * @throws CardNotIssued; and what `authorize` throws, in which case the network reverses the purchase a little later
   */
  purchase(
    purchase: CardPurchase,
    context: { businessNow: Date; authorize: AuthorizePurchase },
  ): Promise<PurchaseOutcome>;
  /** A merchant refunds money; it arrives immediately. @throws CardNotIssued */
  refund(refund: CardPurchase, context: { businessNow: Date }): Promise<void>;
  /** Someone pays to the card; it arrives immediately. `merchant` is the payer. @throws CardNotIssued */
  payout(payout: CardPurchase, context: { businessNow: Date }): Promise<void>;
}

export function createSandboxCardDriver(pool: Pool): SandboxCardDriver {
  return {
    purchase: async (purchase, context) => {
      assertAmount(purchase.amountInCents);
      return await makePurchase(pool, purchase, context);
    },
    refund: async (refund, { businessNow }) => {
      assertAmount(refund.amountInCents);
      await writeCredit(pool, "REFUND", refund, businessNow);
    },
    payout: async (payout, { businessNow }) => {
      assertAmount(payout.amountInCents);
      await writeCredit(pool, "PAYOUT", payout, businessNow);
    },
  };
}

function assertAmount(amountInCents: number): void {
  if (!Number.isSafeInteger(amountInCents) || amountInCents <= 0) {
    throw new RangeError(`amountInCents must be a positive safe integer, not ${amountInCents}`);
  }
}

/** Money that a card brings in, reported from now on; see SandboxCardDriver.refund and .payout. */
async function writeCredit(
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
