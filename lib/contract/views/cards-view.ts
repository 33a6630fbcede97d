import type { CardStatus } from "@/lib/contract/card";
import type { CardType } from "@/lib/contract/transactions";

/** A card as its list shows it. Amounts in cents. */
export interface CardView {
  id: string;
  name: string;
  cardType: CardType;
  /** Last four digits. */
  numberEnding: string;
  /** Null: no one in particular carries it. */
  holderName: string | null;
  /** The pod it spends from. */
  account: { name: string; href: string };
  /** Null: no limit of its own. */
  monthlyLimitInCents: number | null;
  /**
   * Settled purchases and open holds of this calendar month; exceeds the limit if a shop settled more than it
   * authorized.
   */
  spentInCents: number;
  status: CardStatus;
  /** Everything it moved. */
  purchasesHref: string;
}

/** The reader. Any member may freeze a card. */
export interface CardViewerView {
  /** May issue, unfreeze and close cards. */
  canDecide: boolean;
  hasPasskey: boolean;
}

/** Something that a card moved. */
export interface CardPurchaseView {
  id: string;
  /** ISO 8601. */
  at: string;
  cardName: string;
  /** The shop. */
  shopName: string;
  kind: "PURCHASE" | "REFUND" | "PAYOUT";
  amountInCents: number;
}

/** A page of the organization's cards: the open ones, oldest first, then the closed ones. */
export interface CardsView {
  /** Latest card movements, newest first. */
  purchases: CardPurchaseView[];
  cards: CardView[];
  closed: CardView[];
  /** The card issued a moment ago, wherever it is in the list. */
  issued: CardView | null;
  /** Of the first one on this page among all, from 1. */
  firstPosition: number;
  /** All cards, and those among them that can spend. */
  count: number;
  activeCount: number;
  previousHref: string | null;
  nextHref: string | null;
  /** No card network is configured: no real money. */
  isSandbox: boolean;
  /** Whether new cards can be issued. */
  isOffered: boolean;
  viewer: CardViewerView;
}

/** What the page for a new card needs. */
export interface NewCardView {
  /** Open pods. */
  pods: { id: string; name: string }[];
  members: { id: string; name: string }[];
  isSandbox: boolean;
  isOffered: boolean;
  viewer: CardViewerView;
}
