import { type MemberRole, ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
} from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

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
  const invites = `${isolatedName(invitedBy)} invites you to ${organization} on Sluice, where people approve what programs propose to do with money.`;
  const asWhat = `Your role: ${ROLE_WORD[role].toLowerCase()}. ${ROLE_DOES[role]}.`;
  return emailLayout(
    {
      subject: `Join ${organization} on Sluice?`,
      preview: invites,
      heading: html`Join <bdi>${nameText(setting.organizationName)}</bdi>?`,
      rows: [paragraphRow(invites), paragraphRow(asWhat)],
      action: { label: "See the invitation", url: invitationUrl },
      note: `The link works once, until ${formatMoment(expiresAt, setting.timeZone)}. Do not forward it: anyone who has it can join in your place.`,
      why: "INVITED",
      paragraphs: [`Join ${organization}?`, invites, asWhat],
    },
    setting,
  );
}

interface JoinedMember {
  name: string;
  email: string;
  role: MemberRole;
  /** Null: unknown by now. */
  invitedBy: string | null;
  membersUrl: string;
}

/**
 * Someone accepted an invitation. Also sent to the member who invited them: someone else may have used their
 * browser.
 */
export function renderMemberJoined(
  member: JoinedMember,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const role = ROLE_WORD[member.role].toLowerCase();
  const by = member.invitedBy === null ? "" : `, invited by ${isolatedName(member.invitedBy)}`;
  const who = sentenceText(`${isolatedName(member.name)} (${nameText(member.email)})${by}.`);
  const does = `Their role: ${role}. ${ROLE_DOES[member.role]}.`;
  const email = emailLayout(
    {
      subject: `${isolatedName(member.name)} joined as ${role}`,
      preview: who,
      heading: html`<bdi>${nameText(member.name)}</bdi> joined as ${role}`,
      rows: [paragraphRow(who), paragraphRow(does)],
      action: { label: "See the members", url: member.membersUrl },
      note: "If they should not be there, remove them there. That signs them out and disconnects their assistants.",
      why: "SECURITY",
      paragraphs: [`${isolatedName(member.name)} joined as ${role}`, who, does],
    },
    setting,
  );
  const sentence = "Sluice: someone joined your organization. If they should not be there, remove them.";
  return { email, sms: composeNoticeSms(sentence, member.membersUrl) };
}

export interface ToldIdentity {
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
