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
import { nameList } from "@/lib/words/messages/name-list";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

export interface ReturnedTransfer extends AnsweredTransfer {
  /** The account here that the money was taken from again, or given back to. */
  account: {
    name: string;
    /** `TAKEN`: money that had come in is gone again. */
    effect: "TAKEN" | "GIVEN_BACK";
    /** After it was booked back; null: not known. May be below zero, which only this can do. */
    balanceInCents: number | null;
  };
  /** Rules that had already routed this money on, and are paused by its return. */
  pausedRuleNames: readonly string[];
}

/** A bank took a transfer back that had settled. */
export function renderTransferReturned(
  transfer: ReturnedTransfer,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const subject = answerInWords("returned", transfer);
  const happened = whatHappened(transfer);
  const paused = whatIsPaused(transfer);
  const email = emailLayout(
    {
      subject,
      preview: happened,
      heading: answerHeading("returned", transfer),
      rows: [paragraphRow(happened), ...(paused === null ? [] : [paragraphRow(paused)])],
      action: transfer.link,
      note:
        paused === null
          ? "It is not sent again by itself."
          : "There you see where the money went, and can propose its way back.",
      why: "CHOSEN",
      paragraphs: [subject, happened, ...(paused === null ? [] : [paused])],
    },
    setting,
  );
  const rules = transfer.pausedRuleNames.length > 0 ? " Rules that had moved it on are paused." : "";
  const sentence = `Sluice: a transfer of ${writeCents(transfer.amountInCents)} was returned by the bank.${rules}`;
  return { email, sms: composeTellingSms(sentence, transfer.link.url) };
}

function whatHappened(transfer: ReturnedTransfer): string {
  const { account } = transfer;
  const reason = bankReason(transfer.errorCode);
  const why = reason === null ? "The bank gave no reason." : `The reason: ${reason}.`;
  const name = isolatedName(account.name);
  const booked =
    account.effect === "TAKEN" ? `The money was booked back from ${name}` : `The money is back on ${name}`;
  return `It had settled. ${why} ${booked}${nowHolds(account.balanceInCents)}.${partOfRun(transfer)}`;
}

function nowHolds(balanceInCents: number | null): string {
  if (balanceInCents === null) return "";
  if (balanceInCents < 0) return `, which is now ${writeCents(-balanceInCents)} below zero`;
  return `, which now holds ${writeCents(balanceInCents)}`;
}

function whatIsPaused({ pausedRuleNames, account }: ReturnedTransfer): string | null {
  if (pausedRuleNames.length === 0) return null;
  const [rules, are] = pausedRuleNames.length === 1 ? ["The rule", "is"] : ["The rules", "are"];
  return `Rules had already moved this money on. ${rules} ${nameList(pausedRuleNames)} ${are} paused: nothing more runs on ${isolatedName(account.name)} until a person has looked.`;
}
