import { ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import type { MemberRole } from "@/lib/contract/views/people";
import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { isolatedName, nameText } from "@/lib/words/messages/untrusted-text";

export interface SentInvitation {
  invitedBy: string;
  role: MemberRole;
  /** Real time. */
  expiresAt: Date;
  /** Holds the secret: this email is the only place where it stands. */
  invitationUrl: string;
}

/** To somebody who may not know Sluice: who invites them, to what, and until when. */
export function renderInvitation(invitation: SentInvitation, setting: MessageSetting): RenderedEmail {
  const { invitedBy, role, expiresAt, invitationUrl } = invitation;
  const organization = isolatedName(setting.organizationName);
  const invites = `${isolatedName(invitedBy)} invites you to ${organization} on Sluice, where people approve what programs propose to do with money.`;
  const asWhat = `Your role: ${ROLE_WORD[role].toLowerCase()}. ${ROLE_DOES[role]}.`;
  return emailLayout(
    {
      subject: `Join ${organization} on Sluice?`,
      preview: invites,
      heading: html`Join <bdi>${nameText(setting.organizationName)}</bdi>?`,
      rows: [paragraphRow(invites), paragraphRow(asWhat)],
      action: { label: "See the invitation", url: invitationUrl },
      note: `The link works once, until ${formatMoment(expiresAt, setting.timeZone)}. Do not forward it: whoever has it can join in your place.`,
      why: "INVITED",
      paragraphs: [`Join ${organization}?`, invites, asWhat],
    },
    setting,
  );
}
