import type { CardType } from "@/lib/contract/transactions";
import type { AccountName, MemberName } from "@/lib/core/demo/northwind";

export const CARD_NAMES = ["Studio", "Travel", "Subscriptions", "Ads"] as const;
export type CardName = (typeof CARD_NAMES)[number];

interface DemoCard {
  cardType: CardType;
  numberLast4: string;
  /** The pod that funds it. */
  account: AccountName;
  /** Null: no holder. */
  holder: MemberName | null;
  monthlyLimitInCents: number;
}

/** The demo organization's cards. `draft-cards.ts` has their purchases. */
export const CARDS: Record<CardName, DemoCard> = {
  Studio: {
    cardType: "DEBIT_CARD",
    numberLast4: "7704",
    account: "Operating",
    holder: "MARA",
    monthlyLimitInCents: 200_000,
  },
  Travel: {
    cardType: "DEBIT_CARD",
    numberLast4: "1182",
    account: "Operating",
    holder: "JONAS",
    monthlyLimitInCents: 100_000,
  },
  Subscriptions: {
    cardType: "OMNI_CARD",
    numberLast4: "9037",
    account: "Operating",
    holder: null,
    monthlyLimitInCents: 40_000,
  },
  Ads: {
    cardType: "OMNI_CARD",
    numberLast4: "2256",
    account: "Profit",
    holder: null,
    monthlyLimitInCents: 30_000,
  },
};
