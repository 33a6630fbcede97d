import { z } from "zod";

/** Scripts whose letters change shape with a joiner between them; their marks belong to them. */
const JOINING_SCRIPTS = [
  ...["Arab", "Beng", "Deva", "Gujr", "Guru", "Khmr", "Knda", "Mlym", "Mong", "Mymr", "Nkoo", "Orya"],
  ...["Sinh", "Syrc", "Taml", "Telu", "Tibt"],
];
const OF_JOINING_SCRIPT = `[${JOINING_SCRIPTS.map((script) => `\\p{scx=${script}}`).join("")}]`;
/** Allowed between such letters, inside an emoji, and where an emoji requests its color form. */
const NEEDED = [
  `(?<=${OF_JOINING_SCRIPT})[\\u200c\\u200d](?=${OF_JOINING_SCRIPT})`,
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Extended_Pictographic})\\ufe0f",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
].join("|");
/**
 * Control characters forge lines in logs and mails; bidirectional overrides make a text read differently from how it
 * is written ("$10 ot…"); characters that are not drawn (zero-width spaces, tags, fillers, variation selectors) make
 * two names look the same, or speak to an agent and not to the person beside it. Line breaks and tabs are refused
 * too: these texts are one paragraph. A lone surrogate cannot be stored as UTF-8.
 */
const UNSEEN_CLASS = "[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Surrogate}\\u2028\\u2029\\u2800]";
const UNSEEN = new RegExp(`(?!${NEEDED})${UNSEEN_CLASS}`, "u");
const EACH_UNSEEN = new RegExp(UNSEEN, "gu");

/** Free text from a caller: at most `maximumLength` characters, with nothing invisible that deceives a reader. */
export function plainText(maximumLength: number) {
  return z
    .string()
    .max(maximumLength, `must be at most ${maximumLength} characters`)
    .refine((text) => !UNSEEN.test(text), {
      message: "must not contain control, invisible or bidirectional-override characters",
    });
}

/**
 * A text from outside with everything that `plainText` refuses replaced: a bank's or merchant's words are real and
 * cannot be refused.
 * @param replacement for each such character
 */
export function seenText(text: string, replacement: string): string {
  return text.replace(EACH_UNSEEN, replacement);
}

/** Stands in for an invisible character. */
export const REPLACEMENT = "\uFFFD";

/** U+FFFD in a name is a letter that was lost when a file was read in another encoding; a bank would get it. */
export const isUndamaged = (name: string) => !name.includes(REPLACEMENT);
export const DAMAGED_NAME = "must not contain \uFFFD: a letter was lost in another encoding";

/** A JSON value with `seenText` applied to every text. Field names are ours. */
export function seenJson(value: unknown): unknown {
  if (typeof value === "string") return seenText(value, REPLACEMENT);
  if (Array.isArray(value)) return value.map(seenJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, seenJson(inner)]));
}

/**
 * Letters of other scripts drawn like a Latin one, and look-alike Latin letters and digits: the common part of
 * Unicode's confusables (UTS 39). Lower case, without accents.
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

/** A name that a person decides about, and another of the organization that looks the same. */
export interface LookAlike {
  kind: "ACCOUNT" | "RULE" | "BENEFICIARY";
  name: string;
  otherName: string;
}

/** Two names with the same skeleton look the same to a person who does not see them side by side. */
export function skeletonOf(name: string): string {
  const known = skeletons.get(name);
  if (known !== undefined) return known;
  const letters = name.normalize("NFKD").replace(/[\p{M}\s\p{Default_Ignorable_Code_Point}]/gu, "");
  const skeleton = Array.from(letters.toLowerCase(), (letter) => DRAWN_LIKE[letter] ?? letter).join("");
  if (skeletons.size >= MAXIMUM_SKELETONS) skeletons.clear();
  skeletons.set(name, skeleton);
  return skeleton;
}

/** Each page of a rule compares the names of all rules and accounts. */
const skeletons = new Map<string, string>();
const MAXIMUM_SKELETONS = 5_000;
