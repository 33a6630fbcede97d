import { ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import type { MemberRole } from "@/lib/contract/views/people";
import { composeTellingSms } from "@/lib/words/messages/compose-sms";
import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

export interface JoinedMember {
  name: string;
  email: string;
  role: MemberRole;
  /** Null: nobody who is still known. */
  invitedBy: string | null;
  membersUrl: string;
}

/** Somebody accepted an invitation. Also to whoever sent it: it may have been their browser, and not they. */
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
      note: "If they should not be there, remove them there: that signs them out and ends the assistants that they connected.",
      why: "SECURITY",
      paragraphs: [`${isolatedName(member.name)} joined as ${role}`, who, does],
    },
    setting,
  );
  const sentence = "Sluice: somebody joined your organization. If they should not be there, remove them.";
  return { email, sms: composeTellingSms(sentence, member.membersUrl) };
}
