import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import { listRow } from "@/lib/words/messages/digest";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

export interface ChangedPayee {
  kind: "PROPOSED" | "DETAILS_GIVEN" | "CONFIRMED" | "DECLINED" | "REMOVED" | "INVITED";
  name: string;
  by: { kind: "MEMBER" | "API_KEY" | "PAYEE"; name: string };
  accountNumberLast4: string | null;
  /** It could be paid before. */
  isChange: boolean;
  /** A member added it with this account. */
  isAdded: boolean;
  /** Who was called back, or the address of a link. */
  note: string | null;
  coolsOffUntil: Date | null;
  payeeUrl: string;
}

/** Something happened to a payee. Also sent to who did it: someone else may have used their browser. */
export function renderPayeeChanged(
  payee: ChangedPayee,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const heading = payeeHeadline(payee);
  const lines = payeeLines(payee, setting.timeZone);
  const email = emailLayout(
    {
      subject: heading,
      preview: lines[0] ?? "",
      heading,
      rows: lines.map((line) => paragraphRow(line)),
      action: { label: "See the payee", url: payee.payeeUrl },
      note: "If this was not intended, remove the payee there. That ends transfers to it that have not left yet.",
      why: "SECURITY",
      paragraphs: [heading, ...lines],
    },
    setting,
  );
  return { email, sms: composeNoticeSms(`Sluice: ${SMS[payee.kind]}`, payee.payeeUrl) };
}

const SMS: Record<ChangedPayee["kind"], string> = {
  PROPOSED: "a payee was proposed. It cannot be paid until an owner or co-owner confirms it.",
  DETAILS_GIVEN: "a payee's account was entered. Check it before you confirm it.",
  CONFIRMED: "a payee was confirmed and can be paid. If this was not intended, remove it.",
  DECLINED: "a payee's account was declined.",
  REMOVED: "a payee was removed.",
  INVITED: "a payee was sent a link to enter their account.",
};

/** `Mara confirmed the payee Harbor Print Shop`: with isolated names. */
export function payeeHeadline({ kind, by, name, isChange, isAdded }: ChangedPayee): string {
  const who = isolatedName(by.name);
  const payee = `the payee ${isolatedName(name)}`;
  switch (kind) {
    case "PROPOSED":
      return `${who} ${by.kind === "API_KEY" ? "proposed" : "added"} ${payee}`;
    case "DETAILS_GIVEN":
      if (isAdded) return `${who} added ${payee}`;
      return by.kind === "PAYEE"
        ? `${isolatedName(name)} entered their account`
        : `${who} ${isChange ? "changed" : "entered"} the account of ${payee}`;
    case "CONFIRMED":
      return `${who} confirmed ${isChange ? "a change of " : ""}${payee}`;
    case "DECLINED":
      return `${who} declined the account of ${payee}`;
    case "REMOVED":
      return `${who} removed ${payee}`;
    case "INVITED":
      return `${who} sent ${payee} a link`;
  }
}

function payeeLines(payee: ChangedPayee, timeZone: string): string[] {
  const ending =
    payee.accountNumberLast4 === null ? null : `The account ends in ${payee.accountNumberLast4}.`;
  const note = payee.note === null ? null : sentenceText(payee.note);
  const lines: Record<ChangedPayee["kind"], (string | null)[]> = {
    PROPOSED: ["It cannot be paid until an owner or co-owner confirms its account."],
    DETAILS_GIVEN: [
      ending,
      payee.isChange
        ? "The earlier account stays in force until an owner or co-owner confirms this one."
        : "It cannot be paid until an owner or co-owner confirms it.",
      "Call the payee on a number that you know already, not on one from an email, and compare the last four digits.",
    ],
    CONFIRMED: [
      ending,
      note === null ? "Nobody was called back." : `Called back: ${note}`,
      payee.coolsOffUntil === null
        ? null
        : `Larger amounts leave no earlier than ${formatMoment(payee.coolsOffUntil, timeZone)}.`,
    ],
    DECLINED: [ending, "It was not put in force."],
    REMOVED: ["It can no longer be paid."],
    INVITED: [
      note === null ? null : `Sent to ${note}.`,
      "Its page takes one account, once. What is entered waits for an owner or co-owner.",
    ],
  };
  return lines[payee.kind].filter((line) => line !== null);
}

export interface ImportedPayees {
  importedBy: string;
  importedAt: Date;
  /** All of them, as in the file. */
  payees: readonly { name: string; accountNumberLast4: string | null }[];
  payeesUrl: string;
}

/** The payees of one import, in one message that names all. */
export function renderPayeesImported(
  { importedBy, importedAt, payees, payeesUrl }: ImportedPayees,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const count = `${payees.length} ${payees.length === 1 ? "payee" : "payees"}`;
  const heading = `${isolatedName(importedBy)} imported ${count}`;
  const lines = [
    `They cannot be paid until an owner or co-owner confirms each one. Imported ${formatMoment(importedAt, setting.timeZone)}.`,
    "Call each payee on a number that you know already, not on one from an email, and compare the last four digits.",
  ];
  const names = payees.map(({ name, accountNumberLast4 }) =>
    accountNumberLast4 === null
      ? `${isolatedName(name)}, without an account`
      : `${isolatedName(name)}, account ending in ${accountNumberLast4}`,
  );
  const email = emailLayout(
    {
      subject: heading,
      preview: lines[0] ?? "",
      heading,
      rows: [...lines.map((line) => paragraphRow(line)), listRow(names)],
      action: { label: "See the payees", url: payeesUrl },
      note: "If this was not intended, remove the payees there.",
      why: "SECURITY",
      paragraphs: [heading, ...lines, names.map((name) => `- ${name}`).join("\n")],
    },
    setting,
  );
  const sentence = `Sluice: ${count} ${payees.length === 1 ? "was" : "were"} imported. They cannot be paid until an owner or co-owner confirms each one.`;
  return { email, sms: composeNoticeSms(sentence, payeesUrl) };
}

interface SentPayeeLink {
  sentBy: string;
  /** Real time. */
  expiresAt: Date;
  /** Contains the secret: this email is the only place that has it. */
  url: string;
}

/** For a payee who may not know Sluice: who wants to pay them, and where to enter the account. */
export function renderPayeeLink(
  { sentBy, expiresAt, url }: SentPayeeLink,
  setting: MessageSetting,
): RenderedEmail {
  const organization = isolatedName(setting.organizationName);
  const asks = `${isolatedName(sentBy)} of ${organization} wants to pay you and asks where. Enter your bank account on their page.`;
  const doubt =
    "If you do not know them, ignore this email. They will never ask for a password, a card or a payment.";
  return emailLayout(
    {
      subject: `Where should ${organization} pay you?`,
      preview: asks,
      heading: html`Where should <bdi>${nameText(setting.organizationName)}</bdi> pay you?`,
      rows: [paragraphRow(asks), paragraphRow(doubt)],
      action: { label: "Enter your account", url },
      note: `The link works once, until ${formatMoment(expiresAt, setting.timeZone)}. Do not forward it: anyone who has it can enter an account in your place.`,
      why: "INVITED",
      paragraphs: [`Where should ${organization} pay you?`, asks, doubt],
    },
    setting,
  );
}
