import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
  row,
} from "@/lib/words/messages/email-layout";
import { html } from "@/lib/words/messages/html";
import { renderLetter } from "@/lib/words/messages/notice";
import { isolatedName, nameText } from "@/lib/words/messages/untrusted-text";

/**
 * To a person signing up: the code that proves the address. Not in the subject, which phones show on a locked screen.
 */
export function renderSignUpCode(
  { code, signUpUrl }: { code: string; signUpUrl: string },
  setting: MessageSetting,
): RenderedEmail {
  const subject = "Is this your address?";
  const asks =
    "Someone is signing up with this address. If that is you, enter this code on the page that asks for it:";
  const shown = html`<p class="ink" style="margin:0;font-family:'Geist Mono',ui-monospace,Menlo,Consolas,monospace;font-size:32px;line-height:40px;letter-spacing:4px;color:#123036">${code}</p>`;
  return emailLayout(
    {
      subject,
      preview: asks,
      heading: subject,
      rows: [paragraphRow(asks), row(shown)],
      action: { label: "Continue signing up", url: signUpUrl },
      note: "The code is valid for 10 minutes, in the browser that asked for it. Nobody from Sluice will ask you for it.",
      why: "SIGNS_UP",
      paragraphs: [subject, asks, code],
    },
    setting,
  );
}

/** To someone who already has an account: the page must not reveal that, this email may. */
export function renderSignUpKnown(
  { forgotUrl }: { forgotUrl: string },
  setting: MessageSetting,
): RenderedEmail {
  return renderLetter(
    {
      headline: "Did you want to sign up again?",
      lines: [
        "You already have an account with this address, so there is nothing to sign up for. Sign in as usual.",
        "If you forgot your password, set a new one.",
      ],
      action: { label: "Set a new password", url: forgotUrl },
      note: "If you did not sign up, you can ignore this email: nothing was changed.",
      why: "SIGNS_UP",
    },
    setting,
  );
}

/** To someone who forgot their password. This email is the only place that has the link. */
export function renderPasswordReset(
  { resetUrl }: { resetUrl: string },
  setting: MessageSetting,
): RenderedEmail {
  return renderLetter(
    {
      headline: "Set a new password?",
      lines: [
        "Someone requested a new password for your account. If that was you, set it now.",
        "It signs you out everywhere. Your passkeys stay, and approving money still asks for them.",
      ],
      action: { label: "Set a new password", url: resetUrl },
      note: "The link works once, for 30 minutes. Do not forward it: anyone who has it can set your password. If this was not you, you can ignore this email.",
      why: "OWN_PASSWORD",
    },
    setting,
  );
}

/** After a password reset by link: someone else may be reading this mail. */
export function renderPasswordChanged(
  { forgotUrl }: { forgotUrl: string },
  setting: MessageSetting,
): RenderedEmail {
  return renderLetter(
    {
      headline: "Did you set a new password?",
      lines: [
        "Your password was changed with a link from an email, and you were signed out everywhere.",
        "Your passkeys and recovery codes stay as they are, and so do keys and assistants.",
      ],
      action: { label: "Set another password", url: forgotUrl },
      note: "If this was you, no action is needed. If not, someone else reads this mailbox: secure it first, then set another password, and tell the operator of this server.",
      why: "OWN_PASSWORD",
    },
    setting,
  );
}

interface ResetSignIn {
  name: string;
  email: string;
  membersUrl: string;
}

/** To owners and co-owners: the operator reset how a member signs in and made a link for a new password. */
export function renderMemberReset(reset: ResetSignIn, setting: MessageSetting): RenderedEmail {
  const who = isolatedName(reset.name);
  return renderLetter(
    {
      headline: `How ${who} signs in was reset`,
      lines: [
        `The operator of this server has reset how ${who} (${nameText(reset.email)}) signs in.`,
        "Their passkeys, authenticator app and recovery codes are gone, they are signed out everywhere, and they set a new password with a link from the operator.",
      ],
      action: { label: "See the members", url: reset.membersUrl },
      note: "If nobody asked for this, an intruder may have access to the server. Tell its operator, and review what was approved since.",
      why: "SECURITY",
    },
    setting,
  );
}
