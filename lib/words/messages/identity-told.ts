import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { isolatedName, nameText } from "@/lib/words/messages/untrusted-text";

export interface ToldIdentity {
  outcome: "APPROVED" | "NEEDS_DOCUMENT" | "REFUSED" | "NOT_RECEIVED";
  identityUrl: string;
}

const SAYS = {
  APPROVED: {
    subject: (name: string) => `${name} may hold money now`,
    sentence: "The identity check is done. You can open pods, and money can come in and leave.",
    label: "Open the first pods",
  },
  NEEDS_DOCUMENT: {
    subject: (name: string) => `Will you add a document for ${name}?`,
    sentence:
      "The identity check cannot go on without it. Until then no pod can be opened and no money can move.",
    label: "See what is missing",
  },
  REFUSED: {
    subject: (name: string) => `The identity check of ${name} was refused`,
    sentence: "No pod can be opened and no money can move. The page says why, and what you can do.",
    label: "See why",
  },
  NOT_RECEIVED: {
    subject: (name: string) => `Will you enter the details of ${name} again?`,
    sentence: "They did not reach the identity check. Nothing was recorded there, and we keep no copy.",
    label: "Enter them again",
  },
} as const;

/** To owners and co-owners, when the identity check says something that they wait for. */
export function renderIdentityTold(told: ToldIdentity, setting: MessageSetting): RenderedEmail {
  const { subject, sentence, label } = SAYS[told.outcome];
  const title = subject(isolatedName(setting.organizationName));
  return emailLayout(
    {
      subject: title,
      preview: sentence,
      heading: html`<bdi>${subject(nameText(setting.organizationName))}</bdi>`,
      rows: [paragraphRow(sentence)],
      action: { label, url: told.identityUrl },
      note: "Opening the page changes nothing.",
      why: "SECURITY",
      paragraphs: [title, sentence],
    },
    setting,
  );
}
