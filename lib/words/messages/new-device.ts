import { composeTellingSms } from "@/lib/words/messages/compose-sms";
import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

export interface NewSignIn {
  /** As the browser says of itself (describe-browser.ts): `Chrome on macOS`. */
  browser: string;
  method: "PASSWORD" | "PASSKEY" | "RECOVERY_CODE";
  /** Real time. */
  at: Date;
  /** Shortened: `203.0.113.x`; null: not known. */
  network: string | null;
  securityUrl: string;
}

const METHODS = {
  PASSWORD: "your password",
  PASSKEY: "your passkey",
  RECOVERY_CODE: "one of your recovery codes",
} as const;

/** To the person whose account it is, and to nobody else: a sign-in from a new browser, or with a recovery code. */
export function renderNewDevice(
  signIn: NewSignIn,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const browser = isolatedName(signIn.browser);
  const isByCode = signIn.method === "RECOVERY_CODE";
  const subject = isByCode ? "Did you sign in with a recovery code?" : `Did you sign in with ${browser}?`;
  const network = signIn.network === null ? "" : ` Network: ${signIn.network}.`;
  const happened = `Somebody signed in to your account with ${METHODS[signIn.method]}, ${formatMoment(signIn.at, setting.timeZone)}. Browser: ${browser}.${network}`;
  const news = isByCode
    ? "A recovery code works once, so you have one less."
    : "You have not signed in from this browser before.";
  const email = emailLayout(
    {
      subject,
      preview: happened,
      heading: subject,
      rows: [paragraphRow(happened), paragraphRow(news)],
      action: { label: "Look at your security", url: signIn.securityUrl },
      note: "If it was you, you have nothing to do. If not, sign out everywhere else there, and ask the operator of this server to reset how you sign in.",
      why: "OWN_SIGN_IN",
      paragraphs: [subject, happened, news],
    },
    setting,
  );
  const sentence = isByCode
    ? "Sluice: somebody signed in to your account with a recovery code. If it was not you, end it."
    : "Sluice: somebody signed in to your account from a new browser. If it was not you, end it.";
  return { email, sms: composeTellingSms(sentence, signIn.securityUrl) };
}
