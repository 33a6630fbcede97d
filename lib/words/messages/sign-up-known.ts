import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";

/** To somebody who has an account already: the page that asked must not say so, this email may. */
export function renderSignUpKnown(
  { forgotUrl }: { forgotUrl: string },
  setting: MessageSetting,
): RenderedEmail {
  const subject = "Did you want to sign up again?";
  const has =
    "You have an account here with this address, so there is nothing to sign up for. Sign in as usual.";
  const lost = "If you no longer know your password, set a new one.";
  return emailLayout(
    {
      subject,
      preview: has,
      heading: subject,
      rows: [paragraphRow(has), paragraphRow(lost)],
      action: { label: "Set a new password", url: forgotUrl },
      note: "If it was not you who signed up, you have nothing to do: nothing was changed.",
      why: "SIGNS_UP",
      paragraphs: [subject, has, lost],
    },
    setting,
  );
}
