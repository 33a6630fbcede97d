import { writeCents } from "@/lib/contract/format-cents";
import {
  type AnsweredTransfer,
  answerHeading,
  answerInWords,
  partOfRun,
} from "@/lib/words/messages/bank-answer";
import { bankReason } from "@/lib/words/messages/bank-reason";
import { composeTellingSms } from "@/lib/words/messages/compose-sms";
import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

export interface RefusedTransfer extends AnsweredTransfer {
  /** The account here on which the amount was held; null: nothing was. */
  heldOnName: string | null;
}

/** A bank did not take a transfer, or sent it back before it had settled. */
export function renderTransferRefused(
  transfer: RefusedTransfer,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const subject = answerInWords("refused", transfer);
  const happened = whatHappened(transfer);
  const email = emailLayout(
    {
      subject,
      preview: happened,
      heading: answerHeading("refused", transfer),
      rows: [paragraphRow(happened)],
      action: transfer.link,
      note: "It is not sent again by itself.",
      why: "CHOSEN",
      paragraphs: [subject, happened],
    },
    setting,
  );
  const sentence = `Sluice: the bank refused a transfer of ${writeCents(transfer.amountInCents)}. Nothing moved.`;
  return { email, sms: composeTellingSms(sentence, transfer.link.url) };
}

function whatHappened(transfer: RefusedTransfer): string {
  const reason = bankReason(transfer.errorCode);
  const why = reason === null ? "The bank gave no reason." : `The reason: ${reason}.`;
  const moved =
    transfer.heldOnName === null
      ? "Nothing moved."
      : `Nothing moved, and what was held on ${isolatedName(transfer.heldOnName)} is free again.`;
  return `${why} ${moved}${partOfRun(transfer)}`;
}
