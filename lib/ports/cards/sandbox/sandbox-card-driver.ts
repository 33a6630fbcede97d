import type { Pool } from "pg";
import type { AuthorizePurchase, CardPurchase } from "@/lib/ports/cards/card-network-port";
import { makePurchase, type PurchaseOutcome } from "@/lib/ports/cards/sandbox/make-purchase";
import { writeCredit } from "@/lib/ports/cards/sandbox/write-credit";

/** What a member may have merchants of the sandbox do. A real network has no such thing. */
export interface SandboxCardDriver {
  /**
   * A merchant charges a card: asks `authorize` now and, where it says yes, settles later as the cents of the amount
   * say (docs/sandbox-cards.md).
   * @throws CardNotIssued; and what `authorize` throws, in which case the network reverses the purchase a little later
   */
  purchase(
    purchase: CardPurchase,
    context: { businessNow: Date; authorize: AuthorizePurchase },
  ): Promise<PurchaseOutcome>;
  /** A merchant gives money back; it arrives at once. @throws CardNotIssued */
  refund(refund: CardPurchase, context: { businessNow: Date }): Promise<void>;
  /** Somebody pays to the card; it arrives at once. `merchant` is who pays. @throws CardNotIssued */
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
