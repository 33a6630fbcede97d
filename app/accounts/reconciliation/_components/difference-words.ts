import { formatCents } from "@/lib/contract/format-cents";
import type { DifferenceEventView } from "@/lib/views/reconciliation/read-difference";
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
  }
}

export const KIND_WORDS = {
  MISSING_HERE: "Missing here",
  MISSING_AT_BANK: "Missing at the bank",
  DIFFERENT_AMOUNT: "Different amount",
  DIFFERENT_DATE: "Different date",
} as const satisfies Record<Sides["kind"], string>;

export const RESOLUTION_WORDS = {
  ARRIVED: "Arrived",
  CANCELED_OUT: "Canceled out",
  MATCHED_BY_HAND: "Matched by hand",
  BOOKED: "Booked",
  ACCEPTED: "Date accepted",
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
      return "Not explained by settlement anymore";
    case "ASKED_BANK":
      return `${byName} asked the bank`;
    case "ARRIVED":
      return "The other side arrived";
    case "CANCELED_OUT":
      return "Canceled out";
    case "MATCHED_BY_HAND":
      return `${byName} matched it by hand`;
    case "BOOKED":
      return `${byName} booked it`;
    case "ACCEPTED":
      return `${byName} accepted the date`;
  }
}
