import { emailLayout, paragraphRow, row } from "@/lib/words/messages/email-layout";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";

/** To whoever signs up: the code that proves the address. In no subject, which phones show on a locked screen. */
export function renderSignUpCode(
  { code, signUpUrl }: { code: string; signUpUrl: string },
  setting: MessageSetting,
): RenderedEmail {
  const subject = "Is this your address?";
  const asks =
    "Somebody signs up for Sluice with it. If that is you, enter this code on the page that asks for it:";
  const shown = html`<p class="ink" style="margin:0;font-family:'Geist Mono',ui-monospace,Menlo,Consolas,monospace;font-size:32px;line-height:40px;letter-spacing:4px;color:#123036">${code}</p>`;
  return emailLayout(
    {
      subject,
      preview: asks,
      heading: subject,
      rows: [paragraphRow(asks), row(shown)],
      action: { label: "Go on signing up", url: signUpUrl },
      note: "The code is good for 10 minutes and for the browser that asked for it. Nobody from Sluice asks you for it.",
      why: "SIGNS_UP",
      paragraphs: [subject, asks, code],
    },
    setting,
  );
}
