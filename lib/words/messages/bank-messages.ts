import { writeCents } from "@/lib/contract/format-cents";
import { ACH_RETURNS, achReturnCodeSchema, bankRefusalWords } from "@/lib/contract/transfer";
import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
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
  /** The account whose money was held; null: none was. */
  heldOnName: string | null;
}

/** A bank refused a transfer, or sent it back before it settled. */
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
      note: "It will not be sent again automatically.",
      why: "CHOSEN",
      paragraphs: [subject, happened],
    },
    setting,
  );
  const sentence = `Sluice: the bank refused a transfer of ${writeCents(transfer.amountInCents)}. Nothing moved.`;
  return { email, sms: composeNoticeSms(sentence, transfer.link.url) };
}

function whatWasRefused(transfer: RefusedTransfer): string {
  const reason = bankReason(transfer.errorCode);
  const why = reason === null ? "The bank gave no reason." : `Reason: ${reason}.`;
  const moved =
    transfer.heldOnName === null
      ? "Nothing moved."
      : `Nothing moved, and the amount held on ${isolatedName(transfer.heldOnName)} is available again.`;
  return `${why} ${moved}${partOfRun(transfer)}`;
}

interface ReturnedTransfer extends AnsweredTransfer {
  /** The account here that the money was taken from again, or returned to. */
  account: {
    name: string;
    /** `TAKEN`: money that had come in was taken back. */
    effect: "TAKEN" | "GIVEN_BACK";
    /** After the reversal; null: unknown. Only a reversal can make it negative. */
    balanceInCents: number | null;
  };
  /** Rules that had already moved this money on, and are paused by its return. */
  pausedRuleNames: readonly string[];
}

/** A bank returned a transfer that had settled. */
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
          ? "It will not be sent again automatically."
          : "The page shows where the money went, and lets you propose its way back.",
      why: "CHOSEN",
      paragraphs: [subject, happened, ...(paused === null ? [] : [paused])],
    },
    setting,
  );
  const rules = transfer.pausedRuleNames.length > 0 ? " Rules that had moved it on are paused." : "";
  const sentence = `Sluice: a transfer of ${writeCents(transfer.amountInCents)} was returned by the bank.${rules}`;
  return { email, sms: composeNoticeSms(sentence, transfer.link.url) };
}

function whatWasReturned(transfer: ReturnedTransfer): string {
  const { account } = transfer;
  const reason = bankReason(transfer.errorCode);
  const why = reason === null ? "The bank gave no reason." : `Reason: ${reason}.`;
  const name = isolatedName(account.name);
  const booked =
    account.effect === "TAKEN" ? `The money was taken back from ${name}` : `The money is back in ${name}`;
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
  return `Rules had already moved this money on. ${rules} ${nameList(pausedRuleNames)} ${are} paused: nothing runs on ${isolatedName(account.name)} until a person has reviewed it.`;
}

/** An outside account whose own bank corrected its numbers. */
export interface CorrectedAccount {
  name: string;
  /** NACHA change code (`C01`). */
  code: string;
  previousNumberLast4: string | null;
  numberLast4: string;
  /** Its page. */
  url: string;
}

/** The bank of an outside account reported that its numbers changed, and later orders use the new ones. */
export function renderAccountCorrected(
  account: CorrectedAccount,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const subject = `A bank corrected the numbers of ${isolatedName(account.name)}`;
  const happened = `${correctionInWords(account)}. Later transfers use the corrected numbers.`;
  const email = emailLayout(
    {
      subject,
      preview: happened,
      heading: html`A bank corrected<br><bdi>${nameText(account.name)}</bdi>`,
      rows: [paragraphRow(happened)],
      action: { label: "See the account", url: account.url },
      note: "If you did not expect this, ask the account's owner by a phone number that you already have.",
      why: "CHOSEN",
      paragraphs: [subject, happened],
    },
    setting,
  );
  return {
    email,
    sms: composeNoticeSms("Sluice: a bank corrected the numbers of an outside account.", account.url),
  };
}

/** `Checking: its number now ends in 8813 instead of 8812 (C01)` */
export function correctionInWords(account: CorrectedAccount): string {
  const { name, code, previousNumberLast4: previous, numberLast4 } = account;
  const now =
    previous === null || previous === numberLast4
      ? `its number ends in ${numberLast4}, and other details changed`
      : `its number now ends in ${numberLast4} instead of ${previous}`;
  return `${isolatedName(name)}: ${now} (${nameText(code)})`;
}

/** A transfer that a bank returned or refused. Names of accounts, counterparties and rules are untrusted. */
export interface AnsweredTransfer {
  amountInCents: number;
  sourceName: string;
  destinationName: string;
  /** `ACH_R10`; null when the bank gave no code. */
  errorCode: string | null;
  /** The rule whose run it was part of; null: none. */
  ruleName: string | null;
  /** The page with more details. */
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

/** Why a bank refused or returned a transfer, in plain words: `not authorized (R10)`; null without a code. */
export function bankReason(errorCode: string | null): string | null {
  if (errorCode === null) return null;
  const code = errorCode.replace(/^ACH_/, "");
  const known = achReturnCodeSchema.safeParse(code).data;
  return known
    ? `${ACH_RETURNS[known]} (${known})`
    : (bankRefusalWords(code) ?? `its code ${nameText(code)}`);
}
