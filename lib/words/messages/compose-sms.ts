/** Two segments of a concatenated message, 153 GSM-7 characters each. */
export const MAX_SMS_LENGTH = 306;

/** GSM-7 characters that are also ASCII, and those of its extension table, which count twice. */
const BASIC = /^[A-Za-z0-9 @$_!"#%&'()*+,\-./:;<=>?\n]$/;
const EXTENDED = /^[[\]{}|~^\\]$/;

/**
 * An SMS of a sentence and a link: plain ASCII, at most two segments, no caller's words (decisions, "Approval"). A
 * link that is too long or not ASCII is replaced by `instead`: better no link than a message that networks drop or
 * bill as seven.
 * @throws RangeError when the sentence itself does not fit, which is a bug: we wrote it
 */
export function composeSms(sentence: string, link: string, instead = "Open Sluice to decide."): string {
  const withLink = `${sentence} ${new URL(link).href}`;
  if ((gsmLength(withLink) ?? Number.POSITIVE_INFINITY) <= MAX_SMS_LENGTH) return withLink;
  const withoutLink = `${sentence} ${instead}`;
  if ((gsmLength(withoutLink) ?? Number.POSITIVE_INFINITY) <= MAX_SMS_LENGTH) return withoutLink;
  throw new RangeError("The sentence does not fit into an SMS of plain ASCII");
}

/** For messages that need no decision. */
export function composeNoticeSms(sentence: string, link: string): string {
  return composeSms(sentence, link, "Open Sluice to see more.");
}

/** Length of the text in an SMS; null when a character is not both GSM-7 and ASCII. */
export function gsmLength(text: string): number | null {
  let length = 0;
  for (const character of text) {
    if (BASIC.test(character)) length += 1;
    else if (EXTENDED.test(character)) length += 2;
    else return null;
  }
  return length;
}

/** Segments of a text: 160 characters alone, 153 each when split. */
export function smsSegmentCount(text: string): number {
  const length = gsmLength(text) ?? text.length;
  return length <= 160 ? 1 : Math.ceil(length / 153);
}
