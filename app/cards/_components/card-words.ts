import { formatCents } from "@/lib/contract/format-cents";
import type { CardType } from "@/lib/contract/transactions";
import type { CardView } from "@/lib/views/cards/list-cards";

export const CARD_TYPE_WORDS: Record<CardType, string> = {
  DEBIT_CARD: "Debit card",
  OMNI_CARD: "Omni card",
};

/** The title of the list: `3 cards can spend from your pods`. */
export function cardsTitle(count: number): string {
  if (count === 0) return "No card can spend from your pods";
  return count === 1 ? "1 card can spend from your pods" : `${count} cards can spend from your pods`;
}

/** What is left this month, never below zero. Null without a limit. */
export function leftInCents({
  monthlyLimitInCents,
  spentInCents,
}: Pick<CardView, "monthlyLimitInCents" | "spentInCents">): number | null {
  return monthlyLimitInCents === null ? null : Math.max(0, monthlyLimitInCents - spentInCents);
}

/** `$2,000.00 a month.` */
export function limitWords({ monthlyLimitInCents }: Pick<CardView, "monthlyLimitInCents">): string {
  return monthlyLimitInCents === null ? "No monthly limit." : `${formatCents(monthlyLimitInCents)} a month.`;
}
