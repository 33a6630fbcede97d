/**
 * A name written right to left would reorder the amount next to it. Names are marked as such in our sentences, by
 * Unicode's isolates, so that a sentence is written once: text keeps the marks that are needed, HTML gets elements.
 */
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_DIRECTIONAL_ISOLATE = "\u2069";

const MARKED = /\u2068([^\u2068\u2069]*)\u2069/g;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** @param name without isolates of its own: they would end the mark early (`nameText` replaces them) */
export function markName(name: string): string {
  return `${FIRST_STRONG_ISOLATE}${name}${POP_DIRECTIONAL_ISOLATE}`;
}

/** For plain text: only names written right to left stay marked, so that others can be searched and copied. */
export function marksToText(sentence: string): string {
  return sentence.replace(MARKED, (marked: string, name: string) =>
    RIGHT_TO_LEFT.test(name) ? marked : name,
  );
}

/** For the content of an element, whose text is escaped already. */
export function marksToElements(escaped: string): string {
  return escaped.replace(MARKED, "<bdi>$1</bdi>");
}

/** Changes what lies between marked names. */
export function mapUnmarked(sentence: string, change: (words: string) => string): string {
  const parts = sentence.split(/(\u2068[^\u2068\u2069]*\u2069)/);
  return parts.map((part, index) => (index % 2 === 0 ? change(part) : part)).join("");
}

/** A sentence that was cut off may lack the end of its last mark. */
export function closeMarks(sentence: string): string {
  const isOpen = sentence.lastIndexOf(FIRST_STRONG_ISOLATE) > sentence.lastIndexOf(POP_DIRECTIONAL_ISOLATE);
  return isOpen ? `${sentence}${POP_DIRECTIONAL_ISOLATE}` : sentence;
}
