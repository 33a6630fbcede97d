import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { renderLetter } from "@/lib/words/messages/notice";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

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
  return renderLetter(
    {
      headline: `Where should ${organization} pay you?`,
      lines: [
        `${isolatedName(sentBy)} of ${organization} wants to pay you and asks where. Enter your bank account on their page.`,
        "If you do not know them, ignore this email. They will never ask for a password, a card or a payment.",
      ],
      action: { label: "Enter your account", url },
      note: `The link works once, until ${formatMoment(expiresAt, setting.timeZone)}. Do not forward it: anyone who has it can enter an account in your place.`,
      why: "INVITED",
    },
    setting,
  );
}
