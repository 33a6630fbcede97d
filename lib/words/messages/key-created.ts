import { composeTellingSms } from "@/lib/words/messages/compose-sms";
import { emailLayout, paragraphRow } from "@/lib/words/messages/email-layout";
import { formatMoment } from "@/lib/words/messages/format-moment";
import { html } from "@/lib/words/messages/html";
import type { MessageSetting, RenderedEmail } from "@/lib/words/messages/message";
import { isolatedName, nameText, sentenceText } from "@/lib/words/messages/untrusted-text";

export interface CreatedKey {
  name: string;
  /** Name of the member who made it. */
  madeBy: string;
  madeAt: Date;
  /** Its first characters, which it shows wherever it is listed. */
  prefix: string;
  /** Whether it takes the place of another with the same name and permissions. */
  isReplacement: boolean;
  /** What it may do, a sentence without its subject: `can move up to $500.00 from Operating to Taxes.` */
  powers: string;
  keyUrl: string;
}

/** A member made an API key. Also to that member: it may have been their browser, and not they. */
export function renderKeyCreated(
  key: CreatedKey,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const verb = key.isReplacement ? "replaced" : "made";
  const powers = sentenceText(`This key ${key.powers}`);
  const made = `Made ${formatMoment(key.madeAt, setting.timeZone)}; it begins with ${nameText(key.prefix)}.${key.isReplacement ? " It has the permissions of the one before." : ""}`;
  const email = emailLayout(
    {
      subject: `${isolatedName(key.madeBy)} ${verb} the API key ${isolatedName(key.name)}`,
      preview: powers,
      heading: html`<bdi>${nameText(key.madeBy)}</bdi> ${verb} the API key <bdi>${nameText(key.name)}</bdi>`,
      rows: [paragraphRow(powers), paragraphRow(made)],
      action: { label: "See the key", url: key.keyUrl },
      note: "If it should not be there, revoke it there: that stops what it has not yet sent, and denies what it asks for.",
      why: "SECURITY",
      paragraphs: [`${isolatedName(key.madeBy)} ${verb} the API key ${isolatedName(key.name)}`, powers, made],
    },
    setting,
  );
  const sentence = `Sluice: an API key was ${key.isReplacement ? "replaced" : "made"}. If it should not be there, revoke it.`;
  return { email, sms: composeTellingSms(sentence, key.keyUrl) };
}
