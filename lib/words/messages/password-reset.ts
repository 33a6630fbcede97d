import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";

/** To somebody who forgot their password, with the link: this email is the only place where it stands. */
export function renderPasswordReset(
  { resetUrl }: { resetUrl: string },
  setting: MessageSetting,
): RenderedEmail {
  const subject = "Set a new password?";
  const asked = "Somebody asked for a new password for your account. If that was you, set it now.";
  const follows =
    "It signs you out everywhere. Your passkeys stay, and approving money asks for them as before.";
  return emailLayout(
    {
      subject,
      preview: asked,
      heading: subject,
      rows: [paragraphRow(asked), paragraphRow(follows)],
      action: { label: "Set a new password", url: resetUrl },
      note: "The link works once, for 30 minutes. Do not forward it: whoever has it can set your password. If it was not you, you have nothing to do.",
      why: "OWN_PASSWORD",
      paragraphs: [subject, asked, follows],
    },
    setting,
  );
}
