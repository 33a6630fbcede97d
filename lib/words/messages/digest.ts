import { composeTellingSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
  row,
  type WhySent,
} from "@/lib/words/messages/email-layout";

import { type Html, html, WRAPPED } from "@/lib/words/messages/html";

/** Lines that a message lists; the rest are counted. */
export const MAX_LISTED_LINES = 10;

interface ToldTogether {
  /** Of all of them, those not listed too. */
  count: number;
  /** `7 more runs of Split client payments failed`: made of words that are fit for a message. */
  subject: string;
  /** Below it; null: nothing to add. */
  sentence: string | null;
  /** One each, oldest first, fit for a message; the first MAX_LISTED_LINES are listed. */
  lines: readonly string[];
  action: { label: string; url: string };
  why: WhySent;
  /** Without anybody else's words. */
  smsSentence: string;
}

/** Several of one kind in one message: after five in an hour, every 15 minutes (decisions page, "Notifications"). */
export function renderToldTogether(
  told: ToldTogether,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const listed = told.lines.slice(0, MAX_LISTED_LINES);
  const rest = told.count - listed.length;
  const lines = rest > 0 ? [...listed, `and ${rest} more`] : listed;
  const sentences = told.sentence === null ? [] : [told.sentence];
  const email = emailLayout(
    {
      subject: told.subject,
      preview: told.sentence ?? lines[0] ?? "",
      heading: told.subject,
      rows: [...sentences.map((sentence) => paragraphRow(sentence)), listRow(lines)],
      action: told.action,
      note: "After five in an hour, further ones are told together every 15 minutes.",
      why: told.why,
      paragraphs: [told.subject, ...sentences, lines.map((line) => `- ${line}`).join("\n")],
    },
    setting,
  );
  return { email, sms: composeTellingSms(told.smsSentence, told.action.url) };
}

function listRow(lines: readonly string[]): Html {
  const listed = lines.map(
    (line) =>
      html`<p class="ink" dir="auto" style="${WRAPPED};margin:0 0 8px;font-size:15px;line-height:23px;color:#123036">${line}</p>`,
  );
  return row(html`${listed}`);
}
