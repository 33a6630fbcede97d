import { composeTellingSms } from "@/lib/words/messages/compose-sms";
import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

export interface ConnectedAssistant {
  /** As it calls itself; nobody checked it. */
  name: string;
  /** Host to which the browser was sent back, which was checked. */
  host: string;
  connectedBy: string;
  connectedAt: Date;
  /** By the role that the member has now. */
  power: "ASKS" | "READS" | "NOTHING";
  assistantsUrl: string;
}

const POWERS = {
  ASKS: "It reads everything here, may ask you to move money and to run rules, and may create pods and rules that stay off. Nothing moves until one of you approves.",
  READS: "It reads everything here, and may neither ask for anything nor change anything.",
  NOTHING: "Whoever connected it is no member any more, so it may do nothing.",
} as const;

/** A member connected an assistant. Also to that member: it may have been their browser, and not they. */
export function renderAssistantConnected(
  assistant: ConnectedAssistant,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const heading = `${isolatedName(assistant.connectedBy)} connected the assistant ${isolatedName(assistant.name)}`;
  const powers = POWERS[assistant.power];
  const connected = sentenceText(
    `Connected ${formatMoment(assistant.connectedAt, setting.timeZone)}; it went back to ${nameText(assistant.host)}. Its name is what it says about itself.`,
  );
  const email = emailLayout(
    {
      subject: heading,
      preview: powers,
      heading: html`<bdi>${nameText(assistant.connectedBy)}</bdi> connected the assistant <bdi>${nameText(assistant.name)}</bdi>`,
      rows: [paragraphRow(powers), paragraphRow(connected)],
      action: { label: "See the assistants", url: assistant.assistantsUrl },
      note: "If it should not be there, disconnect it there: that stops what it has not yet sent, and denies what it asks for.",
      why: "SECURITY",
      paragraphs: [heading, powers, connected],
    },
    setting,
  );
  const sentence = "Sluice: an assistant was connected. If it should not be there, disconnect it.";
  return { email, sms: composeTellingSms(sentence, assistant.assistantsUrl) };
}
