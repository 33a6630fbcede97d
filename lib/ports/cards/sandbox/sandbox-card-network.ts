import type {
  AuthorizePurchase,
  CardNetworkPort,
  CardPurchase,
  DeclineReason,
} from "@/lib/ports/cards/card-network-port";

/** A network whose merchants do what they are told (docs/sandbox-cards.md). */
export interface SandboxCardNetwork extends CardNetworkPort {
  /**
   * A merchant charges a card: asks `authorize` now and, where it says yes, settles later as the cents of the amount say.
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

export type PurchaseOutcome =
  | { kind: "APPROVED"; authorizationReference: string }
  | { kind: "DECLINED"; authorizationReference: string; reason: DeclineReason }
  /** The answer did not reach the network in time; it takes the authorization back. */
  | { kind: "UNANSWERED"; authorizationReference: string };

/** The network made no such card. */
export class CardNotIssued extends Error {
  override readonly name = "CardNotIssued";
  constructor(readonly cardId: string) {
    super(`The sandbox card network has not issued card ${cardId}`);
  }
}
