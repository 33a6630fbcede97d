import type { CardType } from "@/lib/contract/card-transaction";
import { formatCents } from "@/lib/contract/format-cents";
import type { CardView } from "@/lib/contract/views/cards-view";
import { numberWords } from "@/lib/engine/words/number-words";
import { capitalized } from "@/lib/engine/words/phrases";

export const CARD_TYPE_WORDS: Record<CardType, string> = {
  DEBIT_CARD: "Debit card",
  OMNI_CARD: "Omni card",
};

/** The title of the list as a statement, of how many cards can spend: `Three cards spend from your pods`. */
export function cardsTitle(count: number): string {
  if (count === 1) return "One card spends from your pods";
  return capitalized(`${numberWords(count)} cards spend from your pods`);
}

/** What is left of a card's month, never below zero. Null: no limit of its own. */
export function leftInCents({
  monthlyLimitInCents,
  spentInCents,
}: Pick<CardView, "monthlyLimitInCents" | "spentInCents">): number | null {
  return monthlyLimitInCents === null ? null : Math.max(0, monthlyLimitInCents - spentInCents);
}

/** `$2,000.00 a month.` */
export function limitWords({ monthlyLimitInCents }: Pick<CardView, "monthlyLimitInCents">): string {
  return monthlyLimitInCents === null
    ? "No limit of its own."
    : `${formatCents(monthlyLimitInCents)} a month.`;
}
