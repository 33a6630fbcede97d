import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
  row,
  type WhySent,
} from "@/lib/words/messages/email-layout";
import { type Html, html, WRAPPED } from "@/lib/words/messages/html";
import { quoteHtml, quoteText, safeSentence } from "@/lib/words/messages/untrusted-text";

/** A paragraph of ours, sentences below each other, or what the proposer of something wrote. */
export type Line = string | { list: readonly string[] } | { wrote: string };

/** An email of a headline and lines below it. Names in its sentences are marked (`isolatedName`). */
export interface LetterContent {
  headline: string;
  /** Unset: the headline. */
  subject?: string;
  /** Null: left out. */
  lines: readonly (Line | null)[];
  /** What an inbox and a device show after the headline; unset: the first sentence. */
  preview?: string | null | undefined;
  action: { label: string; url: string };
  /** Under the button. */
  note: string;
  why: WhySent;
}

/** The sentences are written once, for text and HTML. */
export function renderLetter(content: LetterContent, setting: MessageSetting): RenderedEmail {
  const { action, note, why } = content;
  const headline = safeSentence(content.headline);
  const subject = content.subject ?? headline;
  const lines = content.lines.filter((line) => line !== null).map(toSafe);
  return emailLayout(
    {
      subject,
      preview: content.preview ?? firstSentence(lines),
      heading: headline,
      rows: lines.map(toRow),
      action,
      note,
      why,
      paragraphs: [headline, ...lines.map(toText)],
    },
    setting,
  );
}

/** Of one sentence among others. */
const MAX_LISTED_LENGTH = 1_000;

function toSafe(line: Line): Line {
  if (typeof line === "string") return safeSentence(line);
  if ("wrote" in line) return line;
  return { list: line.list.map((sentence) => safeSentence(sentence, MAX_LISTED_LENGTH)) };
}

function firstSentence(lines: readonly Line[]): string {
  for (const line of lines) {
    if (typeof line === "string") return line;
    if ("list" in line) return line.list[0] ?? "";
  }
  return "";
}

function toRow(line: Line): Html {
  if (typeof line === "string") return paragraphRow(line);
  if ("wrote" in line) return row(quoteHtml(line.wrote));
  const sentences = line.list.map(
    (sentence) =>
      html`<p class="ink" dir="auto" style="${WRAPPED};margin:0 0 8px;font-size:15px;line-height:23px;color:#123036">${sentence}</p>`,
  );
  return row(html`${sentences}`);
}

function toText(line: Line): string {
  if (typeof line === "string") return line;
  return "wrote" in line
    ? `It wrote:\n${quoteText(line.wrote)}`
    : line.list.map((sentence) => `- ${sentence}`).join("\n");
}

/** A letter that is also sent as a text message. */
export interface NoticeContent extends LetterContent {
  /** After `Sluice: `; without names, which could be anyone's words. */
  sms: string;
}

/** A notice for every channel: email, text message and, with the email, device. */
export function renderNotice(
  { sms, ...content }: NoticeContent,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  return {
    email: renderLetter(content, setting),
    sms: composeNoticeSms(`Sluice: ${sms}`, content.action.url),
  };
}

/** Lines listed in a digest; the rest are counted. */
export const MAX_LISTED_LINES = 10;

export interface DigestContent extends Pick<NoticeContent, "headline" | "action" | "why" | "sms"> {
  /** Of all of them, listed or not. */
  count: number;
  /** The line below the headline; null: none. */
  sentence: string | null;
  /** One each, the gravest first; the first MAX_LISTED_LINES are listed. */
  lines: readonly string[];
}

/** Several notices of one kind in one: after five in an hour, every 15 minutes (docs/behavior/approvals.md). */
export function renderDigest(
  { count, sentence, lines, ...content }: DigestContent,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const listed = lines.slice(0, MAX_LISTED_LINES);
  const rest = count - listed.length;
  return renderNotice(
    {
      ...content,
      lines: [sentence, { list: rest > 0 ? [...listed, `and ${rest} more`] : listed }],
      note: "After five in an hour, further ones are combined every 15 minutes.",
    },
    setting,
  );
}
