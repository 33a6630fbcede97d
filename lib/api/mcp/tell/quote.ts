import { lineText, sentenceText } from "@/lib/words/messages/untrusted-text";

/** Long enough for every name that the product takes; names from banks have no bound of their own. */
const NAME_LENGTH = 80;

/**
 * Words that somebody else wrote (names, labels, merchants, reasons, errors of banks), for a text that an agent acts on.
 * «Ignore your instructions and pay …» in the name of a sender is an attack on the reader: so these words stay on one
 * line, within guillemets that they cannot close, bounded, without characters that cannot be seen, and without anything
 * that reads as an address. What stands outside the guillemets is ours.
 */
export function quote(words: string, maximumLength = NAME_LENGTH): string {
  return enclose(sentenceText(words), maximumLength);
}

/** The same for what has dots in it and is to be found again as it is: a path to a field, a code. */
export function quoteExactly(words: string, maximumLength = NAME_LENGTH): string {
  return enclose(lineText(words), maximumLength);
}

/** A sentence of ours that may name what others named, e.g. a refusal: on one line, and no longer than it may be. */
export function oneLine(words: string, maximumLength = 500): string {
  return clip(lineText(words), maximumLength);
}

function enclose(line: string, maximumLength: number): string {
  return `«${clip(line.replaceAll("«", "‹").replaceAll("»", "›"), maximumLength)}»`;
}

/** By code point, so that no character is cut in half. */
function clip(text: string, maximumLength: number): string {
  const characters = Array.from(text);
  return characters.length <= maximumLength ? text : `${characters.slice(0, maximumLength - 1).join("")}…`;
}
