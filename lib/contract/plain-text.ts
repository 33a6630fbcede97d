import { z } from "zod";

/** Scripts whose letters take other shapes with a joiner between them. Their marks are part of them. */
const JOINING_SCRIPTS = [
  ...["Arab", "Beng", "Deva", "Gujr", "Guru", "Khmr", "Knda", "Mlym", "Mong", "Mymr", "Nkoo", "Orya"],
  ...["Sinh", "Syrc", "Taml", "Telu", "Tibt"],
];
const OF_JOINING_SCRIPT = `[${JOINING_SCRIPTS.map((script) => `\\p{scx=${script}}`).join("")}]`;
/** Between such letters, within an emoji, and where an emoji asks for its colors. */
const NEEDED = [
  `(?<=${OF_JOINING_SCRIPT})[\\u200c\\u200d](?=${OF_JOINING_SCRIPT})`,
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Extended_Pictographic})\\ufe0f",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
].join("|");
/**
 * Control characters forge lines in logs and mails; bidirectional overrides make a text read otherwise than it is
 * written ("$10 ot…"); what is not drawn at all (zero-width spaces, tags, fillers, variation selectors) makes two names
 * look the same, or speaks to an agent and not to the person beside it. Line breaks and tabs are refused with them: these
 * texts are one paragraph. Half of a surrogate pair cannot be stored as UTF-8.
 */
const UNSEEN_CLASS = "[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Surrogate}\\u2028\\u2029\\u2800]";
const UNSEEN = new RegExp(`(?!${NEEDED})${UNSEEN_CLASS}`, "u");
const EACH_UNSEEN = new RegExp(UNSEEN, "gu");

/** Free text by a caller: at most `maximumLength` characters, nothing invisible that deceives a reader. */
export function plainText(maximumLength: number) {
  return z
    .string()
    .max(maximumLength, `must be at most ${maximumLength} characters`)
    .refine((text) => !UNSEEN.test(text), {
      message: "must not contain control, invisible or bidirectional-override characters",
    });
}

/**
 * A text from outside with what `plainText` refuses replaced: a bank's and a merchant's words are real and cannot be refused.
 * @param replacement for each such character
 */
export function seenText(text: string, replacement: string): string {
  return text.replace(EACH_UNSEEN, replacement);
}

/** Stands for a character that nobody sees. */
export const REPLACEMENT = "\uFFFD";

/** A JSON value with every text in it seen. Names of fields are ours. */
export function seenJson(value: unknown): unknown {
  if (typeof value === "string") return seenText(value, REPLACEMENT);
  if (Array.isArray(value)) return value.map(seenJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, seenJson(inner)]));
}

/**
 * Letters of other scripts that are drawn like a Latin one, and Latin ones and digits that are drawn alike: the common part
 * of Unicode's confusables (UTS 39). Lower case, without accents.
 */
const DRAWN_LIKE: Readonly<Record<string, string>> = {
  ...pairs("аɑα", "a"),
  ...pairs("ьв", "b"),
  ...pairs("сϲ", "c"),
  ...pairs("ԁ", "d"),
  ...pairs("еє", "e"),
  ...pairs("ɡ", "g"),
  ...pairs("һн", "h"),
  ...pairs("іι1|iӏ", "l"),
  ...pairs("јϳ", "j"),
  ...pairs("кκ", "k"),
  ...pairs("мμ", "m"),
  ...pairs("ոη", "n"),
  ...pairs("оοσ0օ", "o"),
  ...pairs("рρ", "p"),
  ...pairs("ԛ", "q"),
  ...pairs("г", "r"),
  ...pairs("ѕ", "s"),
  ...pairs("тτ", "t"),
  ...pairs("υս", "u"),
  ...pairs("ѵν", "v"),
  ...pairs("ѡω", "w"),
  ...pairs("хχ", "x"),
  ...pairs("уγ", "y"),
  ...pairs("ζ", "z"),
};

function pairs(letters: string, latin: string): Record<string, string> {
  return Object.fromEntries(Array.from(letters, (letter) => [letter, latin]));
}

/** A name that a person decides about, and another one of the organization's that looks the same. */
export interface LookAlike {
  kind: "ACCOUNT" | "RULE" | "BENEFICIARY";
  name: string;
  otherName: string;
}

/** Two names with the same skeleton look the same to a person who reads them apart from each other. */
export function skeletonOf(name: string): string {
  const letters = name.normalize("NFKD").replace(/[\p{M}\s\p{Default_Ignorable_Code_Point}]/gu, "");
  return Array.from(letters.toLowerCase(), (letter) => DRAWN_LIKE[letter] ?? letter).join("");
}
