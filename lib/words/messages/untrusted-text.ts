import { REPLACEMENT, seenText } from "@/lib/contract/plain-text";
import { type Html, html, WRAPPED } from "@/lib/words/messages/html";
import { closeMarks, mapUnmarked, markName } from "@/lib/words/messages/isolates";
import { joinWords } from "@/lib/words/rules/phrases";

/**
 * Makes words that someone else wrote (a caller's reason, a name that a key gave an account) safe for a message that
 * asks for money. Changes are visible: nothing is dropped silently.
 */

/** Longer than any name the product accepts; names from banks and connected accounts have no bound of their own. */
const MAX_NAME_LENGTH = 80;
/** Above the 1,000 characters of a reason; mail readers cut messages off at about 100 KB. */
const MAX_PARAGRAPH_LENGTH = 2_000;

/** A name on one line that cannot look like a link or reorder the text around it. */
export function nameText(name: string): string {
  return defuseLinks(visibleName(name));
}

/** For places that do not turn words into links. */
export function visibleName(name: string): string {
  return clip(visible(name).replaceAll("\n", " ").trim(), MAX_NAME_LENGTH);
}

/** A name in a sentence of ours, marked as one: the email's layout and `marksToText` know what to do with the marks. */
export function isolatedName(name: string): string {
  return markName(nameText(name));
}

/**
 * A sentence of ours with marked names, bounded. What is not marked is made safe too, in case a name was forgotten.
 */
export function safeSentence(sentence: string, maxLength = MAX_PARAGRAPH_LENGTH): string {
  const safe = mapUnmarked(sentence, (words) => defuseLinks(visible(words).replace(/\n+/g, " ")));
  return closeMarks(clip(safe, maxLength));
}

/** Someone's own words, with line breaks. */
function paragraphText(words: string): string {
  return defuseLinks(clip(visible(words).trim(), MAX_PARAGRAPH_LENGTH));
}

/** A sentence with names that are not marked, on one line. */
export function sentenceText(words: string): string {
  return paragraphText(words).replace(/\n+/g, " ");
}

/** Someone's words on one line, keeping the dots of codes and paths (`steps.0.actions`). */
export function lineText(words: string): string {
  return clip(visible(words).replace(/\n+/g, " ").trim(), MAX_PARAGRAPH_LENGTH).replace(
    /:(?=[/\\]{2})/g,
    "[:]",
  );
}

/**
 * Invisible characters deceive invisibly: a bidirectional override makes `0052$` read `$2500`, a zero-width space
 * hides the difference between two names. Joiners stay where Persian and emoji need them.
 */
function visible(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replaceAll("\t", " ")
    .split("\n")
    .map((line) => seenText(line, REPLACEMENT))
    .join("\n");
}

/**
 * Mail readers turn anything that looks like an address into a link, and a link in a request for money is what a
 * phisher wants. `https://pay.example` becomes `https[:]//pay[.]example`: readable, and not an address to any reader.
 * Amounts (`$13,560.00`) and abbreviations (`e.g.`) stay as they are.
 */
function defuseLinks(text: string): string {
  return text
    .replace(/:(?=[/\\]{2})/g, "[:]")
    .replace(/\b(mailto|tel|sms|facetime|data|javascript):/gi, "$1[:]")
    .replace(/(?<=[\p{L}\p{M}\p{N}_-])[.\u3002\uFF0E\uFF61](?=\p{L}[\p{L}\p{M}\p{N}-])/gu, "[.]");
}

/** By code point, so that no character is split. */
function clip(text: string, maxLength: number): string {
  const characters = Array.from(text);
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join("")}\u2026`;
}

const TEXT_WIDTH = 72;

/** Someone's words in an email, quoted beside a double rule, so that they cannot pass for ours. */
export function quoteHtml(words: string): Html {
  const lines = paragraphText(words).split("\n");
  const broken = lines.map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`));
  return html`<p class="ink ln" dir="auto" style="margin:0;border-left:3px double #b9c4c0;padding-left:16px;font-size:16px;line-height:25px;color:#123036;${WRAPPED}">\u201C${broken}\u201D</p>`;
}

/** The same for the text part: every line, including wrapped ones, begins with `> `. */
export function quoteText(words: string): string {
  const lines = paragraphText(words).split("\n").flatMap(wrap);
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

/** At spaces; an over-long word stays whole. */
function wrap(line: string): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current !== "" && longer.length > TEXT_WIDTH) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}

const NAMED = 5;

/** Others' names in a sentence: `A, B and C`; beyond five the rest is counted: `A, B, C, D, E and 3 more`. */
export function nameList(names: readonly string[]): string {
  const named = names.slice(0, NAMED).map(isolatedName);
  const rest = names.length - named.length;
  return joinWords(rest > 0 ? [...named, `${rest} more`] : named);
}
