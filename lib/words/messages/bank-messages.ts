import { writeCents } from "@/lib/contract/format-cents";
import { ACH_RETURNS, achReturnCodeSchema } from "@/lib/contract/transfer";
import { composeTellingSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { type Html, html } from "@/lib/words/messages/html";
import { largeAmount } from "@/lib/words/messages/proposal";
import { isolatedName, nameList, nameText } from "@/lib/words/messages/untrusted-text";

interface RefusedTransfer extends AnsweredTransfer {
  /** The account here on which the amount was held; null: nothing was. */
  heldOnName: string | null;
}

/** A bank did not take a transfer, or sent it back before it had settled. */
export function renderTransferRefused(
  transfer: RefusedTransfer,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const subject = answerInWords("refused", transfer);
  const happened = whatWasRefused(transfer);
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

function whatWasRefused(transfer: RefusedTransfer): string {
  const reason = bankReason(transfer.errorCode);
  const why = reason === null ? "The bank gave no reason." : `The reason: ${reason}.`;
  const moved =
    transfer.heldOnName === null
      ? "Nothing moved."
      : `Nothing moved, and what was held on ${isolatedName(transfer.heldOnName)} is free again.`;
  return `${why} ${moved}${partOfRun(transfer)}`;
}

interface ReturnedTransfer extends AnsweredTransfer {
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
  const happened = whatWasReturned(transfer);
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

function whatWasReturned(transfer: ReturnedTransfer): string {
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

/** A transfer that a bank sent back or refused. Names are untrusted: of accounts, counterparties and rules. */
export interface AnsweredTransfer {
  amountInCents: number;
  sourceName: string;
  destinationName: string;
  /** `ACH_R10`; null when the bank did not say. */
  errorCode: string | null;
  /** Of the run that it was part of; null: of none. */
  ruleName: string | null;
  /** Where more is to be seen. */
  link: { label: string; url: string };
}

/** `The bank returned $4,250.00 from Halden Health to Client payments` */
function answerInWords(verb: "returned" | "refused", transfer: AnsweredTransfer): string {
  return `The bank ${verb} ${transferInWords(transfer)}`;
}

/** `$4,250.00 from Halden Health to Client payments` */
export function transferInWords(
  transfer: Pick<AnsweredTransfer, "amountInCents" | "sourceName" | "destinationName">,
): string {
  const { amountInCents, sourceName, destinationName } = transfer;
  return `${writeCents(amountInCents)} from ${isolatedName(sourceName)} to ${isolatedName(destinationName)}`;
}

function answerHeading(verb: "returned" | "refused", transfer: AnsweredTransfer): Html {
  return html`The bank ${verb}<br>${largeAmount(transfer.amountInCents)}<br>from <bdi>${nameText(transfer.sourceName)}</bdi> to <bdi>${nameText(transfer.destinationName)}</bdi>`;
}

/** ` It was part of a run of Split client payments.`, or nothing. */
function partOfRun({ ruleName }: AnsweredTransfer): string {
  return ruleName === null ? "" : ` It was part of a run of ${isolatedName(ruleName)}.`;
}

/** Why a bank refused or returned a transfer, in plain words: `not authorized (R10)`; null when it did not say. */
export function bankReason(errorCode: string | null): string | null {
  if (errorCode === null) return null;
  const code = errorCode.replace(/^ACH_/, "");
  const known = achReturnCodeSchema.safeParse(code).data;
  return known ? `${ACH_RETURNS[known]} (${known})` : `its code ${nameText(code)}`;
}
