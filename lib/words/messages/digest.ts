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

/** Lines listed in a message; the rest are counted. */
export const MAX_LISTED_LINES = 10;

interface Digest {
  /** Of all of them, listed or not. */
  count: number;
  /** `7 more runs of Split client payments failed`: words that are safe in a message. */
  subject: string;
  /** The line below; null: none. */
  sentence: string | null;
  /** One line each, the gravest first, safe in a message; the first MAX_LISTED_LINES are listed. */
  lines: readonly string[];
  action: { label: string; url: string };
  why: WhySent;
  /** Without untrusted words. */
  smsSentence: string;
}

/** Several messages of one kind in one: after five in an hour, every 15 minutes (docs/behavior/approvals.md). */
export function renderDigest(digest: Digest, setting: MessageSetting): { email: RenderedEmail; sms: string } {
  const listed = digest.lines.slice(0, MAX_LISTED_LINES);
  const rest = digest.count - listed.length;
  const lines = rest > 0 ? [...listed, `and ${rest} more`] : listed;
  const sentences = digest.sentence === null ? [] : [digest.sentence];
  const email = emailLayout(
    {
      subject: digest.subject,
      preview: digest.sentence ?? lines[0] ?? "",
      heading: digest.subject,
      rows: [...sentences.map((sentence) => paragraphRow(sentence)), listRow(lines)],
      action: digest.action,
      note: "After five in an hour, further ones are combined every 15 minutes.",
      why: digest.why,
      paragraphs: [digest.subject, ...sentences, lines.map((line) => `- ${line}`).join("\n")],
    },
    setting,
  );
  return { email, sms: composeNoticeSms(digest.smsSentence, digest.action.url) };
}

/** Lines below each other, safe in a message. */
export function listRow(lines: readonly string[]): Html {
  const listed = lines.map(
    (line) =>
      html`<p class="ink" dir="auto" style="${WRAPPED};margin:0 0 8px;font-size:15px;line-height:23px;color:#123036">${line}</p>`,
  );
  return row(html`${listed}`);
}
