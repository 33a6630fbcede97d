import type { Phrase } from "@/lib/contract/rules/rule-parts";

/** Plain words. */
export const say = (text: string): Phrase => ({ text, isKey: false });

/** Key words. */
export const key = (text: string): Phrase => ({ text, isKey: true });

/** The sentence as plain text. */
export function phrasesText(phrases: readonly Phrase[]): string {
  return phrases.map(({ text }) => text).join("");
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[], conjunction = "and"): string {
  const last = words.at(-1);
  if (last === undefined) return "";
  return words.length === 1 ? last : `${words.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Capitalizes the first letter and merges adjacent phrases of the same kind. */
export function asSentence(phrases: readonly Phrase[]): Phrase[] {
  const merged: Phrase[] = [];
  for (const { text, isKey } of phrases) {
    if (text === "") continue;
    const before = merged.at(-1);
    if (before?.isKey === isKey) before.text += text;
    else merged.push({ text, isKey });
  }
  const [first] = merged;
  if (first) first.text = capitalized(first.text);
  return merged;
}
