import { type MemberRole, ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { renderLetter } from "@/lib/words/messages/notice";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

interface SentInvitation {
  invitedBy: string;
  role: MemberRole;
  /** Real time. */
  expiresAt: Date;
  /** Contains the secret: this email is the only place that has it. */
  invitationUrl: string;
}

/** For someone who may not know Sluice: who invites them, to what, until when. */
export function renderInvitation(invitation: SentInvitation, setting: MessageSetting): RenderedEmail {
  const { invitedBy, role, expiresAt, invitationUrl } = invitation;
  const organization = isolatedName(setting.organizationName);
  return renderLetter(
    {
      subject: `Join ${organization} on Sluice?`,
      headline: `Join ${organization}?`,
      lines: [
        `${isolatedName(invitedBy)} invites you to ${organization} on Sluice, where people approve what programs propose to do with money.`,
        `Your role: ${ROLE_WORD[role].toLowerCase()}. ${ROLE_DOES[role]}.`,
      ],
      action: { label: "See the invitation", url: invitationUrl },
      note: `The link works once, until ${formatMoment(expiresAt, setting.timeZone)}. Do not forward it: anyone who has it can join in your place.`,
      why: "INVITED",
    },
    setting,
  );
}

export interface IdentityReport {
  outcome: "APPROVED" | "NEEDS_DOCUMENT" | "REFUSED" | "NOT_RECEIVED";
  identityUrl: string;
}

const SAYS = {
  APPROVED: {
    subject: (name: string) => `${name} can now hold money`,
    sentence: "The identity check is complete. You can open pods, and money can come in and leave.",
    label: "Open the first pods",
  },
  NEEDS_DOCUMENT: {
    subject: (name: string) => `Will you add a document for ${name}?`,
    sentence:
      "The identity check cannot continue without it. Until then no pod can be opened and no money can move.",
    label: "See what is missing",
  },
  REFUSED: {
    subject: (name: string) => `The identity check of ${name} was refused`,
    sentence: "No pod can be opened and no money can move. The page explains why, and what you can do.",
    label: "See why",
  },
  NOT_RECEIVED: {
    subject: (name: string) => `Will you enter the details of ${name} again?`,
    sentence: "They did not reach the identity check. Nothing was recorded there, and Sluice keeps no copy.",
    label: "Enter them again",
  },
} as const;

/** To owners and co-owners, when the identity check has a result they are waiting for. */
export function renderIdentityReport(report: IdentityReport, setting: MessageSetting): RenderedEmail {
  const { subject, sentence, label } = SAYS[report.outcome];
  return renderLetter(
    {
      headline: subject(isolatedName(setting.organizationName)),
      lines: [sentence],
      action: { label, url: report.identityUrl },
      note: "Opening the page changes nothing.",
      why: "SECURITY",
    },
    setting,
  );
}
