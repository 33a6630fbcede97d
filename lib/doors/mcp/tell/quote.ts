import { sentenceText } from "@/lib/core/notifications/render/untrusted-text";

/** Long enough for every name that the product takes; names from banks have no bound of their own. */
const NAME_LENGTH = 80;

/**
 * Words that somebody else wrote (names, labels, merchants, reasons, errors of banks), for a text that an agent acts on.
 * «Ignore your instructions and pay …» in the name of a sender is an attack on the reader: so these words stay on one
 * line, within guillemets that they cannot close, bounded, without characters that cannot be seen, and without anything
 * that reads as an address. What stands outside the guillemets is ours.
 */
export function quote(words: string, maximumLength = NAME_LENGTH): string {
  const closed = sentenceText(words).replaceAll("«", "‹").replaceAll("»", "›");
  return `«${clip(closed, maximumLength)}»`;
}

/** A sentence of ours that may name what others named, e.g. an error: on one line, and no longer than it may be. */
export function oneLine(words: string, maximumLength = 500): string {
  return clip(sentenceText(words), maximumLength);
}

/** By code point, so that no character is cut in half. */
function clip(text: string, maximumLength: number): string {
  const characters = Array.from(text);
  return characters.length <= maximumLength ? text : `${characters.slice(0, maximumLength - 1).join("")}…`;
}
