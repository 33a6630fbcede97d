/** A part of a sentence: plain or bold. */
export type Phrase = string | { strong: string };

export const strong = (text: string): Phrase => ({ strong: text });

/** The sentence as plain text. */
export function phraseText(phrases: readonly Phrase[]): string {
  return phrases.map((phrase) => (typeof phrase === "string" ? phrase : phrase.strong)).join("");
}

/** Joins parts: `a`, `a and b`, `a, b and c`. */
export function joinPhrases(groups: readonly Phrase[][], conjunction = "and"): Phrase[] {
  return groups.flatMap((group, index) => {
    if (index === 0) return group;
    return [index === groups.length - 1 ? ` ${conjunction} ` : ", ", ...group];
  });
}

/** The same for words. */
export function joinWords(words: readonly string[], conjunction = "and"): string {
  return phraseText(
    joinPhrases(
      words.map((word) => [word]),
      conjunction,
    ),
  );
}
