import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

export interface ToldReset {
  name: string;
  email: string;
  membersUrl: string;
}

/** To owners and co-owners: the operator has taken away how a member signs in, and made a link for a new password. */
export function renderMemberReset(reset: ToldReset, setting: MessageSetting): RenderedEmail {
  const who = isolatedName(reset.name);
  const subject = `How ${who} signs in was reset`;
  const happened = sentenceText(
    `The operator of this server has reset how ${who} (${nameText(reset.email)}) signs in.`,
  );
  const follows =
    "Their passkeys, authenticator app and recovery codes are gone, they are signed out everywhere, and they set a new password with a link from the operator.";
  return emailLayout(
    {
      subject,
      preview: happened,
      heading: html`How <bdi>${nameText(reset.name)}</bdi> signs in was reset`,
      rows: [paragraphRow(happened), paragraphRow(follows)],
      action: { label: "See the members", url: reset.membersUrl },
      note: "If nobody asked for this, somebody who should not has access to the server. Tell its operator, and look at what was approved since.",
      why: "SECURITY",
      paragraphs: [subject, happened, follows],
    },
    setting,
  );
}
