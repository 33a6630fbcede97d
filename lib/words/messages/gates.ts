import { composeTellingSms } from "@/lib/words/messages/compose-sms";
import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

export interface GatesTold {
  act: "CLOSED" | "OPENED";
  by: string;
  at: Date;
  gatesUrl: string;
}

const WORDS = {
  CLOSED: {
    did: "closed all gates",
    follows:
      "Keys, assistants, rules and cards move nothing until an owner or co-owner opens the gates. What had already left goes on its way.",
    note: "If it was not meant, open them there; that takes your passkey or password.",
    sms: "Sluice: all gates were closed. Nothing moves until an owner opens them.",
  },
  OPENED: {
    did: "opened the gates",
    follows:
      "What waited goes on, and keys, assistants, rules and cards work again. What passed meanwhile is not made up.",
    note: "If it should not have been, close them there: that takes one tap.",
    sms: "Sluice: the gates were opened again. What waited goes on.",
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
  return { email, sms: composeTellingSms(sms, told.gatesUrl) };
}
