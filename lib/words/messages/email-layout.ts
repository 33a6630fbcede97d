import { Html, type HtmlValue, html, plainHtml, WRAPPED } from "@/lib/words/messages/html";
import { marksToText } from "@/lib/words/messages/isolates";
import { type PushContent, type RenderedPush, renderPush } from "@/lib/words/messages/push";
import { nameText } from "@/lib/words/messages/untrusted-text";

export interface RenderedEmail {
  subject: string;
  text: string;
  html: string;
  /** The same facts for a device. */
  push: RenderedPush;
}

/** Shared by every message of an organization. */
export interface MessageSetting {
  organizationName: string;
  /** IANA name of the zone for deadlines. */
  timeZone: string;
  /** True until a bank for managed money is configured: every email then says that no real money moves. */
  isSandboxBank: boolean;
}

/**
 * The one style sheet of every email. The mailbox page shows emails in a frame that inherits the page's
 * Content-Security-Policy, which allows this text by its hash (lib/api/launcher/response-headers.ts).
 */
export const EMAIL_STYLE =
  "@media (prefers-color-scheme:dark){.bg{background:#0f1a1c!important}.pp{background:#162326!important}.ink{color:#e9efe9!important}.i2{color:#b7c6c4!important}.ln{border-color:#2b3a3d!important}.bt{background:#7fd0cb!important;color:#0b2426!important}.wt{background:#1d4a50!important}} @media (max-width:620px){.pad{padding-left:24px!important;padding-right:24px!important}.big{font-size:52px!important;line-height:56px!important}}";

const STYLE = new Html(`<style>${EMAIL_STYLE}</style>`);
const SANDBOX_LINE = "Sandbox bank: no real money";

interface EmailContent {
  subject: string;
  /** What an inbox shows after the subject. */
  preview: string;
  heading: HtmlValue;
  /** Table rows between heading and button. */
  rows: Html[];
  action: { label: string; url: string };
  /** Under the button. */
  note: string;
  /** Paragraphs of the text part between header and button, separated by blank lines. */
  paragraphs: string[];
  why: WhySent;
  /** Where a device shows other words than subject and preview. */
  push?: PushContent;
}

/**
 * Why someone gets an email. `DECIDES`: they are asked to decide. `CHOSEN`: they have not switched it off.
 * `SECURITY`: nobody can switch it off. `OWN_SIGN_IN`: it is about their own account. `INVITED`: a member entered
 * their address. `SIGNS_UP`: anyone did, on the sign-up page. `OWN_PASSWORD`: it is about their password, in any
 * organization.
 */
export type WhySent =
  | "DECIDES"
  | "CHOSEN"
  | "SECURITY"
  | "OWN_SIGN_IN"
  | "INVITED"
  | "SIGNS_UP"
  | "OWN_PASSWORD";

/**
 * Before and after the organization's name. How to switch it off is text, not a link: an email has one link, to its
 * subject.
 */
const WHY_SENT: Record<WhySent, readonly [string, string]> = {
  DECIDES: ["Sent to the owner and co-owners of ", "."],
  CHOSEN: [
    "Sent to the owner and co-owners of ",
    ". You can switch these off under Settings, Notifications.",
  ],
  SECURITY: ["Sent to the owner and co-owners of ", ", who always get this."],
  OWN_SIGN_IN: ["Sent to you alone, as a member of ", ". You always get this."],
  SIGNS_UP: [
    "Sent because someone entered this address on the sign-up page of ",
    ". Without this email, nothing follows from it.",
  ],
  OWN_PASSWORD: ["Sent to you alone, as someone who signs in at ", ". You always get this."],
  INVITED: ["Sent because a member of ", " entered this address. You can ignore this email."],
};

/**
 * An email's frame: one column, no images, nothing loaded, readable in dark mode, exactly one link.
 * @throws RangeError when the action's address is not http or https
 */
export function emailLayout(content: EmailContent, setting: MessageSetting): RenderedEmail {
  const url = webAddress(content.action.url);
  return {
    subject: marksToText(content.subject),
    text: textPart(content, setting, url),
    html: htmlPart(content, setting, url).markup,
    push: renderPush(content.push ?? { title: content.subject, sentence: content.preview }, url, [
      nameText(setting.organizationName),
      ...(setting.isSandboxBank ? [SANDBOX_LINE] : []),
    ]),
  };
}

/** A table row with the column's margins. */
export function row(content: Html): Html {
  return html`
 <tr><td class="pad" style="padding:28px 48px 0">${content}</td></tr>`;
}

/** A paragraph as a table row. `dir="auto"` aligns right-to-left languages to the right. */
export function paragraphRow(content: HtmlValue): Html {
  return row(
    html`<p class="ink" dir="auto" style="${WRAPPED};margin:0;font-size:15px;line-height:23px;color:#123036">${content}</p>`,
  );
}

function webAddress(address: string): string {
  const url = new URL(address);
  if (url.protocol === "https:" || url.protocol === "http:") return url.href;
  throw new RangeError(`A link in an email is http or https, not ${url.protocol}`);
}

function textPart(content: EmailContent, setting: MessageSetting, url: string): string {
  const organization = nameText(setting.organizationName);
  const header = [`Sluice, ${organization}`, ...(setting.isSandboxBank ? [SANDBOX_LINE] : [])].join("\n");
  const [before, after] = WHY_SENT[content.why];
  const footer = `${before}${organization}${after}`;
  const parts = [header, ...content.paragraphs, `${content.action.label}:\n${url}`, content.note, footer];
  return marksToText(`${parts.join("\n\n")}\n`);
}

function htmlPart(content: EmailContent, setting: MessageSetting, url: string): Html {
  const organization = html`<bdi>${nameText(setting.organizationName)}</bdi>`;
  const [before, after] = WHY_SENT[content.why];
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"><title>${plainHtml(content.subject)}</title>
${STYLE}</head>
<body class="bg" style="margin:0;background:#f4f2ea;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${plainHtml(content.preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" class="pp" style="width:100%;max-width:600px;table-layout:fixed;background:#fcfbf7;font-family:'Hanken Grotesk',-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;color:#123036">
 <tr><td class="pad ln" style="padding:28px 48px 20px;border-bottom:3px double #b9c4c0"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td class="ink" style="font-family:Georgia,serif;font-size:20px;color:#123036">Sluice</td><td align="right" class="i2" style="${WRAPPED};font-size:13px;color:#52676a">${organization}${sandboxLine(setting)}</td></tr></table></td></tr>
 <tr><td class="pad ink" style="padding:40px 48px 0;font-family:Georgia,serif;color:#123036"><h1 style="${WRAPPED};margin:0;font-weight:400;font-size:26px;line-height:32px">${content.heading}</h1></td></tr>${content.rows}
 <tr><td class="pad" style="padding:32px 48px 0"><table role="presentation" cellpadding="0" cellspacing="0"><tr><td class="bt" bgcolor="#10666b" style="border-radius:6px"><a class="bt" href="${url}" style="display:inline-block;padding:16px 28px;font-size:16px;font-weight:600;color:#fbfdfc;background:#10666b;text-decoration:none;border-radius:6px">${content.action.label}</a></td></tr></table><p class="i2" style="margin:14px 0 0;font-size:14px;line-height:21px;color:#52676a">${content.note}</p></td></tr>
 <tr><td class="pad i2" style="padding:28px 48px 36px;font-size:13px;line-height:20px;color:#52676a"><div class="ln" style="${WRAPPED};border-top:1px solid #dfe4de;padding-top:16px">${before}${organization}${after} If the button does not work, open<br><span style="word-break:break-all">${url}</span></div></td></tr>
</table></td></tr></table></body></html>
`;
}

function sandboxLine(setting: MessageSetting): Html | null {
  return setting.isSandboxBank ? html`<br>${SANDBOX_LINE}` : null;
}
