import { formatCents } from "@/lib/contract/format-cents";
import type { DifferenceEventView, DifferenceView } from "@/lib/views/reconciliation/read-difference";
import type { BankAgreementView, DifferenceRowView } from "@/lib/views/reconciliation/read-reconciliation";
import { numberWords } from "@/lib/words/rules/number-words";

type Sides = Pick<DifferenceRowView, "kind" | "bankInCents" | "booksInCents">;

/** `The bank took $4.00 that is missing here`. */
export function differenceTitle({ kind, bankInCents, booksInCents }: Sides): string {
  const at = (cents: number) => formatCents(Math.abs(cents));
  switch (kind) {
    case "MISSING_HERE":
      return `The bank ${bankInCents > 0 ? "received" : "took"} ${at(bankInCents)} that is missing here`;
    case "MISSING_AT_BANK":
      return `${at(booksInCents)} that ${booksInCents > 0 ? "came in" : "went out"} is missing at the bank`;
    case "DIFFERENT_AMOUNT":
      return `The bank shows ${formatCents(bankInCents)}, the books ${formatCents(booksInCents)}`;
    case "DIFFERENT_DATE":
      return `The bank dates ${at(bankInCents)} differently`;
    case "LINE_CHANGED":
      return bankInCents === booksInCents
        ? `The bank changed a line of ${formatCents(bankInCents)}`
        : `The bank changed a line from ${formatCents(booksInCents)} to ${formatCents(bankInCents)}`;
  }
}

export const KIND_WORDS = {
  MISSING_HERE: "Missing here",
  MISSING_AT_BANK: "Missing at the bank",
  DIFFERENT_AMOUNT: "Different amount",
  DIFFERENT_DATE: "Different date",
  LINE_CHANGED: "Line changed",
} as const satisfies Record<Sides["kind"], string>;

export const LINE_KIND_WORDS = {
  ORDER: "an order",
  ORDER_RETURN: "a returned order",
  DEPOSIT: "a deposit",
  DEPOSIT_RETURN: "a returned deposit",
  CARD: "a card payment",
  FEE: "a fee",
  INTEREST: "interest",
  OTHER: "of another kind",
} as const satisfies Record<NonNullable<DifferenceView["before"]>["nowKind"], string>;

export const RESOLUTION_WORDS = {
  ARRIVED: "Arrived",
  CANCELED_OUT: "Canceled out",
  MATCHED_BY_HAND: "Matched by hand",
  BOOKED: "Booked",
  CHANGED_BACK: "Changed back",
  CHANGED_AGAIN: "Changed again",
  ACCEPTED: "Accepted",
} as const satisfies Record<NonNullable<DifferenceRowView["resolution"]>, string>;

/** `Pods and bank agree`, or what needs a person. */
export function reconciliationTitle(
  agreement: Pick<BankAgreementView, "openCount" | "unexplainedInCents"> | null,
): string {
  if (agreement === null) return "Not reconciled yet";
  const { openCount, unexplainedInCents } = agreement;
  if (openCount > 0) {
    const number = numberWords(openCount);
    const noun = openCount === 1 ? "difference needs" : "differences need";
    return `${number.charAt(0).toUpperCase()}${number.slice(1)} ${noun} you`;
  }
  return unexplainedInCents === 0 ? "Books and bank agree" : "The bank’s statement does not add up";
}

export function eventTitle({ kind, byName }: Pick<DifferenceEventView, "kind" | "byName">): string {
  switch (kind) {
    case "FOUND":
      return "Found";
    case "OPENED":
      return "Needs a person";
    case "ASKED_BANK":
      return `${byName} asked the bank`;
    case "ARRIVED":
      return "The other side arrived";
    case "CANCELED_OUT":
      return "Canceled out";
    case "CHANGED_BACK":
      return "The bank changed it back";
    case "CHANGED_AGAIN":
      return "The bank changed it again, which is a new difference";
    case "MATCHED_BY_HAND":
      return `${byName} matched it by hand`;
    case "BOOKED":
      return `${byName} booked it`;
    case "ACCEPTED":
      return `${byName} accepted it`;
  }
}
