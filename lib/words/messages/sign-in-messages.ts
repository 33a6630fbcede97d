import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
  row,
} from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

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
  const subject = "Did you want to sign up again?";
  const has =
    "You already have an account with this address, so there is nothing to sign up for. Sign in as usual.";
  const lost = "If you forgot your password, set a new one.";
  return emailLayout(
    {
      subject,
      preview: has,
      heading: subject,
      rows: [paragraphRow(has), paragraphRow(lost)],
      action: { label: "Set a new password", url: forgotUrl },
      note: "If you did not sign up, you can ignore this email: nothing was changed.",
      why: "SIGNS_UP",
      paragraphs: [subject, has, lost],
    },
    setting,
  );
}

/** To someone who forgot their password. This email is the only place that has the link. */
export function renderPasswordReset(
  { resetUrl }: { resetUrl: string },
  setting: MessageSetting,
): RenderedEmail {
  const subject = "Set a new password?";
  const asked = "Someone requested a new password for your account. If that was you, set it now.";
  const follows = "It signs you out everywhere. Your passkeys stay, and approving money still asks for them.";
  return emailLayout(
    {
      subject,
      preview: asked,
      heading: subject,
      rows: [paragraphRow(asked), paragraphRow(follows)],
      action: { label: "Set a new password", url: resetUrl },
      note: "The link works once, for 30 minutes. Do not forward it: anyone who has it can set your password. If this was not you, you can ignore this email.",
      why: "OWN_PASSWORD",
      paragraphs: [subject, asked, follows],
    },
    setting,
  );
}

/** After a password reset by link: someone else may be reading this mail. */
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
      note: "If this was you, no action is needed. If not, someone else reads this mailbox: secure it first, then set another password, and tell the operator of this server.",
      why: "OWN_PASSWORD",
      paragraphs: [subject, happened, stays],
    },
    setting,
  );
}

interface NewSignIn {
  /** From the browser's user agent (describe-browser.ts): `Chrome on macOS`. */
  browser: string;
  method: "PASSWORD" | "PASSKEY" | "RECOVERY_CODE";
  /** Real time. */
  at: Date;
  /** Shortened: `203.0.113.x`; null: unknown. */
  network: string | null;
  securityUrl: string;
}

const METHODS = {
  PASSWORD: "your password",
  PASSKEY: "your passkey",
  RECOVERY_CODE: "one of your recovery codes",
} as const;

/** To the account's owner only: a sign-in from a new browser, or with a recovery code. */
export function renderNewDevice(
  signIn: NewSignIn,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const browser = isolatedName(signIn.browser);
  const isByCode = signIn.method === "RECOVERY_CODE";
  const subject = isByCode ? "Did you sign in with a recovery code?" : `Did you sign in with ${browser}?`;
  const network = signIn.network === null ? "" : ` Network: ${signIn.network}.`;
  const happened = `Someone signed in to your account with ${METHODS[signIn.method]}, ${formatMoment(signIn.at, setting.timeZone)}. Browser: ${browser}.${network}`;
  const news = isByCode
    ? "A recovery code works once, so you have one fewer."
    : "You have not signed in from this browser before.";
  const email = emailLayout(
    {
      subject,
      preview: happened,
      heading: subject,
      rows: [paragraphRow(happened), paragraphRow(news)],
      action: { label: "Open security settings", url: signIn.securityUrl },
      note: "If this was you, no action is needed. If not, sign out everywhere else there, and ask the operator of this server to reset how you sign in.",
      why: "OWN_SIGN_IN",
      paragraphs: [subject, happened, news],
    },
    setting,
  );
  const sentence = isByCode
    ? "Sluice: someone signed in to your account with a recovery code. If it was not you, end the session."
    : "Sluice: someone signed in to your account from a new browser. If it was not you, end the session.";
  return { email, sms: composeNoticeSms(sentence, signIn.securityUrl) };
}

interface ToldReset {
  name: string;
  email: string;
  membersUrl: string;
}

/** To owners and co-owners: the operator reset how a member signs in and made a link for a new password. */
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
      note: "If nobody asked for this, an intruder may have access to the server. Tell its operator, and review what was approved since.",
      why: "SECURITY",
      paragraphs: [subject, happened, follows],
    },
    setting,
  );
}
