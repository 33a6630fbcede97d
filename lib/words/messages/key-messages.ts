import type { KeyAlert } from "@/lib/contract/api-key";
import { writeCents } from "@/lib/contract/format-cents";
import { keyAlertWords } from "@/lib/engine/words/key-alert-words";
import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

interface CreatedKey {
  name: string;
  /** The member who created it. */
  createdBy: string;
  createdAt: Date;
  /** Its first characters, shown wherever it is listed. */
  prefix: string;
  /** Whether it replaces another with the same name and permissions. */
  isReplacement: boolean;
  /** What it may do, as a sentence without a subject: `can move up to $500.00 from Operating to Taxes.` */
  powers: string;
  keyUrl: string;
}

/** A member created an API key. Also sent to that member: someone else may have used their browser. */
export function renderKeyCreated(
  key: CreatedKey,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const verb = key.isReplacement ? "replaced" : "made";
  const powers = sentenceText(`This key ${key.powers}`);
  const made = `Made ${formatMoment(key.createdAt, setting.timeZone)}; it begins with ${nameText(key.prefix)}.${key.isReplacement ? " It has the permissions of the one before." : ""}`;
  const email = emailLayout(
    {
      subject: `${isolatedName(key.createdBy)} ${verb} the API key ${isolatedName(key.name)}`,
      preview: powers,
      heading: html`<bdi>${nameText(key.createdBy)}</bdi> ${verb} the API key <bdi>${nameText(key.name)}</bdi>`,
      rows: [paragraphRow(powers), paragraphRow(made)],
      action: { label: "See the key", url: key.keyUrl },
      note: "If it should not exist, revoke it there. That stops transfers that have not left yet and denies its proposals.",
      why: "SECURITY",
      paragraphs: [
        `${isolatedName(key.createdBy)} ${verb} the API key ${isolatedName(key.name)}`,
        powers,
        made,
      ],
    },
    setting,
  );
  const sentence = `Sluice: an API key was ${key.isReplacement ? "replaced" : "made"}. If it should not be there, revoke it.`;
  return { email, sms: composeNoticeSms(sentence, key.keyUrl) };
}

interface UnusualUse {
  kind: "API_KEY" | "ASSISTANT";
  /** The key or the assistant. */
  name: string;
  alert: KeyAlert;
  noticedAt: Date;
  /** Where it is shown and can be ended. */
  url: string;
}

const STOP = {
  API_KEY:
    "If this was not intended, revoke the key there. That denies its proposals and stops transfers that have not left yet. If more than this key may be affected, close all gates, in the sidebar of every page.",
  ASSISTANT:
    "If this was not intended, disconnect the assistant there. That denies its proposals and stops transfers that have not left yet. If more than this assistant may be affected, close all gates, in the sidebar of every page.",
} as const;

/** Unusual use of a key or an assistant: what was seen, what is usual, what to do. */
export function renderKeyUnusual(
  use: UnusualUse,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const noun = use.kind === "API_KEY" ? "key" : "assistant";
  const words = keyAlertWords(use.alert, noun, writeCents);
  const title = words.title.charAt(0).toLowerCase() + words.title.slice(1);
  const heading = `${isolatedName(use.name)}: ${title}`;
  const seen = sentenceText(words.seen);
  const usual = sentenceText(words.usual);
  const when = sentenceText(`Noticed ${formatMoment(use.noticedAt, setting.timeZone)}.`);
  const email = emailLayout(
    {
      subject: heading,
      preview: seen,
      heading: html`<bdi>${nameText(use.name)}</bdi>: ${title}`,
      rows: [paragraphRow(seen), paragraphRow(usual), paragraphRow(when)],
      action: { label: use.kind === "API_KEY" ? "See the key" : "See the assistants", url: use.url },
      note: STOP[use.kind],
      why: "CHOSEN",
      paragraphs: [heading, seen, usual, when],
    },
    setting,
  );
  const act = use.kind === "API_KEY" ? "revoke it" : "disconnect it";
  const sms = `Sluice: unusual use of ${noun === "key" ? "a key" : "an assistant"}. If this was not intended, ${act}.`;
  return { email, sms: composeNoticeSms(sms, use.url) };
}

interface ConnectedAssistant {
  /** Its self-declared, unverified name. */
  name: string;
  /** Host that the browser was redirected to, which was verified. */
  host: string;
  connectedBy: string;
  connectedAt: Date;
  /** From the member's current role. */
  power: "ASKS" | "READS" | "NOTHING";
  assistantsUrl: string;
}

const POWERS = {
  ASKS: "It reads everything here, may propose transfers and rule runs, and may create pods and inactive rules. Nothing moves until one of you approves.",
  READS: "It reads everything here, and may neither propose nor change anything.",
  NOTHING: "The person who connected it is no longer a member, so it may do nothing.",
} as const;

/** A member connected an assistant. Also sent to that member: someone else may have used their browser. */
export function renderAssistantConnected(
  assistant: ConnectedAssistant,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const heading = `${isolatedName(assistant.connectedBy)} connected the assistant ${isolatedName(assistant.name)}`;
  const powers = POWERS[assistant.power];
  const connected = sentenceText(
    `Connected ${formatMoment(assistant.connectedAt, setting.timeZone)}; redirected to ${nameText(assistant.host)}. Its name is self-declared.`,
  );
  const email = emailLayout(
    {
      subject: heading,
      preview: powers,
      heading: html`<bdi>${nameText(assistant.connectedBy)}</bdi> connected the assistant <bdi>${nameText(assistant.name)}</bdi>`,
      rows: [paragraphRow(powers), paragraphRow(connected)],
      action: { label: "See the assistants", url: assistant.assistantsUrl },
      note: "If it should not be there, disconnect it there. That stops transfers that have not left yet and denies its proposals.",
      why: "SECURITY",
      paragraphs: [heading, powers, connected],
    },
    setting,
  );
  const sentence = "Sluice: an assistant was connected. If it should not be there, disconnect it.";
  return { email, sms: composeNoticeSms(sentence, assistant.assistantsUrl) };
}

interface GatesTold {
  act: "CLOSED" | "OPENED";
  by: string;
  at: Date;
  gatesUrl: string;
}

const WORDS = {
  CLOSED: {
    did: "closed all gates",
    follows:
      "Keys, assistants, rules and cards move nothing until an owner or co-owner opens the gates. Transfers that have already left continue.",
    note: "If this was not intended, open them there with your passkey or password.",
    sms: "Sluice: all gates were closed. Nothing moves until an owner opens them.",
  },
  OPENED: {
    did: "opened the gates",
    follows:
      "Waiting transfers continue, and keys, assistants, rules and cards work again. Runs missed while closed won't be repeated.",
    note: "If this was not intended, close them there with one tap.",
    sms: "Sluice: the gates were opened again. Waiting transfers continue.",
  },
} as const;

/** All gates were closed, or opened again. */
export function renderGates(told: GatesTold, setting: MessageSetting): { email: RenderedEmail; sms: string } {
  const { did, follows, note, sms } = WORDS[told.act];
  const heading = `${isolatedName(told.by)} ${did}`;
  const when = sentenceText(`${formatMoment(told.at, setting.timeZone)}.`);
  const email = emailLayout(
    {
      subject: heading,
      preview: follows,
      heading: html`<bdi>${nameText(told.by)}</bdi> ${did}`,
      rows: [paragraphRow(when), paragraphRow(follows)],
      action: { label: "See what stopped", url: told.gatesUrl },
      note,
      why: "SECURITY",
      paragraphs: [heading, when, follows],
    },
    setting,
  );
  return { email, sms: composeNoticeSms(sms, told.gatesUrl) };
}
