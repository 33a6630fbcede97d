import type { CardDeclineReason } from "@/lib/contract/card";
import { NamedError } from "@/lib/contract/error";
import type { SpendingCategory } from "@/lib/contract/transactions";

/**
 * A card network with its issuing processor: it issues cards, asks before each purchase, and reports the outcome.
 *
 * It identifies a card by Sluice's own id and keeps the card's number to itself; Sluice learns the last four digits.
 * Notices arrive at least once, in any order: the caller counts each by its reference, and acknowledges it after the
 * commit that booked it.
 *
 * `businessNow` is the organization's business time. A real network runs in real time and ignores it.
 */
export interface CardNetworkPort {
  /** True for the sandbox: pages and messages then state that no real money moves. */
  readonly isSandbox: boolean;
  readonly name: string;
  /** False where none are offered: cards of the sandbox must not be beside real money. */
  readonly issuesCards: boolean;

  /**
   * Issues a card. A second order of the same card gets the first answer.
   * @throws CardNetworkUnavailable if the outcome is unknown: order again
   */
  issue(
    card: { organizationId: string; cardId: string },
    context: { businessNow: Date },
  ): Promise<{ numberLast4: string }>;

  /**
   * Notices of one organization that are due and not acknowledged, oldest first.
   * @param input.limit 1 to MAX_CARD_NOTICES
   * @throws CardNetworkUnavailable
   */
  notices(input: { organizationId: string; businessNow: Date; limit: number }): Promise<CardNotice[]>;

  /**
   * Tells the network that these notices are booked. Repeating it does nothing, nor do references that the network does
   * not know for this organization.
   * @param input.noticeReferences at most MAX_CARD_NOTICES
   * @throws CardNetworkUnavailable
   */
  acknowledge(input: {
    organizationId: string;
    noticeReferences: string[];
    businessNow: Date;
  }): Promise<void>;

  /**
   * Organizations with pending notices, the longest due first: what a worker polls.
   * @param input.limit 1 to MAX_CARD_NOTICES
   * @throws CardNetworkUnavailable
   */
  organizationsWithNotices(input: { realNow: Date; limit: number }): Promise<string[]>;
}

/** Bound of `limit` and of a list of references. */
export const MAX_CARD_NOTICES = 500;

/** A merchant's request to charge a card. */
export interface CardPurchase {
  organizationId: string;
  cardId: string;
  /** Positive integer. */
  amountInCents: number;
  /** The merchant's own name: untrusted, may be empty. */
  merchant: string;
  category: SpendingCategory | null;
}

/** The network's question: may this purchase be made? */
export interface CardPurchaseRequest extends CardPurchase {
  /** Unique per organization; the same when the network asks again. Notices of this purchase carry it. */
  authorizationReference: string;
}

export type CardPurchaseAnswer =
  | { decision: "APPROVED" }
  | {
      decision: "DECLINED";
      reason: CardDeclineReason;
    };

/** What a network calls while the merchant waits. The product implements it and passes it to the adapter. */
export type AuthorizePurchase = (request: CardPurchaseRequest) => Promise<CardPurchaseAnswer>;

/** A movement of money on a card. Its amount is positive. */
export type CardNotice = CardPurchase & {
  /** Unique per organization; the same for every delivery of this notice. */
  noticeReference: string;
  /** Business time. */
  occurredAt: Date;
} & (
    | {
        /** Part or all of a purchase was paid to the merchant, whatever was authorized. */
        kind: "SETTLED";
        /** Null for what the network paid without asking. */
        authorizationReference: string | null;
        /** Nothing more of this authorization will settle. */
        isFinal: boolean;
      }
    | { kind: "RELEASED"; authorizationReference: string }
    | { kind: "REFUND" | "PAYOUT"; authorizationReference: null }
  );

/** The network did not answer: it may or may not have received the call. */
export class CardNetworkUnavailable extends NamedError {
  static override readonly kind = "CardNetworkUnavailable";
}
