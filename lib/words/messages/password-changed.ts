import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";

/** After a new password was set by a link: who did it may be somebody else who reads the mail. */
export function renderPasswordChanged(
  { forgotUrl }: { forgotUrl: string },
  setting: MessageSetting,
): RenderedEmail {
  const subject = "Did you set a new password?";
  const happened = "Your password was changed with a link from an email, and you were signed out everywhere.";
  const stays = "Your passkeys and recovery codes stay as they are, and so do keys and assistants.";
  return emailLayout(
    {
      subject,
      preview: happened,
      heading: subject,
      rows: [paragraphRow(happened), paragraphRow(stays)],
      action: { label: "Set another password", url: forgotUrl },
      note: "If it was you, you have nothing to do. If not, somebody else reads this mailbox: secure it first, set another password then, and tell the operator of this server.",
      why: "OWN_PASSWORD",
      paragraphs: [subject, happened, stays],
    },
    setting,
  );
}
