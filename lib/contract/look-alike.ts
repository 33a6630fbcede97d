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
