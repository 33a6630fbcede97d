import { writeCents } from "@/lib/contract/format-cents";
import type { DifferenceKind } from "@/lib/contract/reconciliation";
import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";

export interface BankDifference {
  kind: DifferenceKind;
  /** Positive: into the account. 0: the side that lacks it. */
  bankInCents: number;
  booksInCents: number;
  /** `2026-11-20`: the banking day of the line, else of the entry. */
  day: string;
  url: string;
}

/** Bank and books differ for longer than settlement explains. Without the bank's text, which anyone may have written. */
export function renderBankDifference(
  difference: BankDifference,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const subject = differenceHeadline(difference);
  const advice = ADVICE[difference.kind];
  const email = emailLayout(
    {
      subject,
      preview: advice,
      heading: subject,
      rows: [paragraphRow(`${advice} Banking day: ${difference.day}.`)],
      action: { label: "See the difference", url: difference.url },
      note: "Nothing was changed. The difference stays open until someone resolves it.",
      why: "CHOSEN",
      paragraphs: [subject, `${advice} Banking day: ${difference.day}.`],
    },
    setting,
  );
  return {
    email,
    sms: composeNoticeSms("Sluice: the bank's statement and your books differ.", difference.url),
  };
}

const ADVICE: Record<DifferenceKind, string> = {
  MISSING_HERE: "The bank booked it, and Sluice knows nothing of it.",
  MISSING_AT_BANK: "Sluice booked it as the bank reported it, and the bank's statement does not show it.",
  DIFFERENT_AMOUNT: "Bank and books show the same movement with different amounts.",
  DIFFERENT_DATE: "Bank and books show the same movement on days that settlement does not explain.",
};

/** `$4.00 that the bank took is missing here`. */
export function differenceHeadline({
  kind,
  bankInCents,
  booksInCents,
}: Pick<BankDifference, "kind" | "bankInCents" | "booksInCents">): string {
  const at = (cents: number) => writeCents(Math.abs(cents));
  switch (kind) {
    case "MISSING_HERE":
      return `${at(bankInCents)} that the bank ${bankInCents > 0 ? "received" : "took"} is missing in Sluice`;
    case "MISSING_AT_BANK":
      return `${at(booksInCents)} that ${booksInCents > 0 ? "came in" : "went out"} is missing at the bank`;
    case "DIFFERENT_AMOUNT":
      return `The bank shows ${writeCents(bankInCents)} where Sluice shows ${writeCents(booksInCents)}`;
    case "DIFFERENT_DATE":
      return `The bank dates ${at(bankInCents)} differently`;
  }
}
