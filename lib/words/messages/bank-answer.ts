import { writeCents } from "@/lib/contract/format-cents";
import { type Html, html } from "@/lib/words/messages/html";
import { largeAmount } from "@/lib/words/messages/large-amount";
import { isolatedName, nameText } from "@/lib/words/messages/untrusted-text";

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
export function answerInWords(verb: "returned" | "refused", transfer: AnsweredTransfer): string {
  return `The bank ${verb} ${transferInWords(transfer)}`;
}

/** `$4,250.00 from Halden Health to Client payments` */
export function transferInWords(
  transfer: Pick<AnsweredTransfer, "amountInCents" | "sourceName" | "destinationName">,
): string {
  const { amountInCents, sourceName, destinationName } = transfer;
  return `${writeCents(amountInCents)} from ${isolatedName(sourceName)} to ${isolatedName(destinationName)}`;
}

export function answerHeading(verb: "returned" | "refused", transfer: AnsweredTransfer): Html {
  return html`The bank ${verb}<br>${largeAmount(transfer.amountInCents)}<br>from <bdi>${nameText(transfer.sourceName)}</bdi> to <bdi>${nameText(transfer.destinationName)}</bdi>`;
}

/** ` It was part of a run of Split client payments.`, or nothing. */
export function partOfRun({ ruleName }: AnsweredTransfer): string {
  return ruleName === null ? "" : ` It was part of a run of ${isolatedName(ruleName)}.`;
}
