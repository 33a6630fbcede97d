import { writeCents } from "@/lib/contract/format-cents";
import type { KeyAlert } from "@/lib/contract/key-alert";
import { keyAlertWords } from "@/lib/engine/words/key-alert-words";
import { composeTellingSms } from "@/lib/words/messages/compose-sms";
import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

export interface UnusualUse {
  kind: "API_KEY" | "ASSISTANT";
  /** Of the key or the assistant. */
  name: string;
  alert: KeyAlert;
  noticedAt: Date;
  /** Where it is shown and ended. */
  url: string;
}

const STOP = {
  API_KEY:
    "If this was not meant, revoke the key there: that denies what it asks for and stops what has not left. In doubt about more than this key, close all gates, in the bar at the side of every page.",
  ASSISTANT:
    "If this was not meant, disconnect the assistant there: that denies what it asks for and stops what has not left. In doubt about more than this assistant, close all gates, in the bar at the side of every page.",
} as const;

/** Something about the use of a key or an assistant that its owner should look at: what was seen, what is usual, what to do. */
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
  const sms = `Sluice: ${noun === "key" ? "a key" : "an assistant"} is used unusually. If this was not meant, ${act}.`;
  return { email, sms: composeTellingSms(sms, use.url) };
}
