import { z } from "zod";

/**
 * Letters of other scripts drawn like a Latin one, look-alike Latin letters and digits, and marks: the common part of
 * Unicode's confusables (UTS 39). Lower case, without accents.
 */
const DRAWN_LIKE: Readonly<Record<string, string>> = {
  ...pairs("аɑαᴀꭺꓮ", "a"),
  ...pairs("ьвʙᏼꓐ", "b"),
  ...pairs("сϲᴄꮯꓚⲥ", "c"),
  ...pairs("ԁᴅđꓓ", "d"),
  ...pairs("еєᴇ℮ꭼꓰⲉ", "e"),
  ...pairs("ɡɢꓖ", "g"),
  ...pairs("һнʜħꓧⲏ", "h"),
  ...pairs("іι1|iӏıɪɩǀ∣łʟꓲꓡⲓ", "l"),
  ...pairs("јϳᴊꓙ", "j"),
  ...pairs("кκᴋꓗⲕ", "k"),
  ...pairs("мμᴍꮇꓟⲙ", "m"),
  ...pairs("ոηɴꓠⲛ", "n"),
  ...pairs("оοσ0օᴏøꓳⲟ০௦٥ჿ", "o"),
  ...pairs("рρᴘꮲꓑⲣƥ", "p"),
  ...pairs("ԛ", "q"),
  ...pairs("гʀ", "r"),
  ...pairs("ѕꜱꮪꓢ", "s"),
  ...pairs("тτᴛꭲꓔⲧŧ", "t"),
  ...pairs("υսᴜꓴ", "u"),
  ...pairs("ѵνᴠꓦ", "v"),
  ...pairs("ѡωԝᴡꮃꓪ", "w"),
  ...pairs("хχꓫⲭ", "x"),
  ...pairs("уγʏꓬⲩ", "y"),
  ...pairs("ζᴢꓜⲍ", "z"),
  ...pairs("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
  ...pairs("\u2018\u2019\u201b\u02bc\u2032\u0060\u00b4", "'"),
  ...pairs("\u201a", ","),
  ...pairs("\u2236", ":"),
  ...pairs("\u2044\u2215", "/"),
};

/** Greek capitals that are drawn like another letter than their small ones: Η is an H, and η an n. */
const CAPITALS: Readonly<Record<string, string>> = {
  ...pairs("\u0392", "b"),
  ...pairs("\u0395", "e"),
  ...pairs("\u0397", "h"),
  ...pairs("\u039d", "n"),
  ...pairs("\u03a5", "y"),
};

function pairs(letters: string, latin: string): Record<string, string> {
  return Object.fromEntries(Array.from(letters, (letter) => [letter, latin]));
}

/** A name that a person decides about, and another of the organization that looks the same. */
export interface LookAlike {
  /** Of the other one. */
  kind: "ACCOUNT" | "RULE" | "BENEFICIARY" | "PAYEE" | "KEY" | "ASSISTANT";
  name: string;
  otherName: string;
}

/** The same in a list, with the other one. */
export interface NamedAlike extends LookAlike {
  otherId: string;
}

/** The same for programs, as a field of the one that is read. */
export const lookAlikeSchema = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(["ACCOUNT", "PAYEE", "RULE"]),
    name: z.string(),
  })
  .meta({
    id: "LookAlike",
    description: "Another one of the organization whose name looks the same to a person.",
  });

/** @param alike from `readLookAlikeParties` or `readLookAlikeRules` */
export function toLookAlike(alike: NamedAlike | undefined): z.infer<typeof lookAlikeSchema> | null {
  const kind = lookAlikeSchema.shape.kind.safeParse(alike?.kind).data;
  return alike && kind ? { id: alike.otherId, kind, name: alike.otherName } : null;
}

/** Two names with the same skeleton look the same to a person who does not see them side by side. */
export function skeletonOf(name: string): string {
  const known = skeletons.get(name);
  if (known !== undefined) return known;
  const letters = name.normalize("NFKD").replace(/[\p{M}\s\p{Default_Ignorable_Code_Point}]/gu, "");
  const latin = Array.from(letters, (letter) => CAPITALS[letter] ?? letter).join("");
  const skeleton = Array.from(latin.toLowerCase(), (letter) => DRAWN_LIKE[letter] ?? letter)
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
  if (skeletons.size >= MAXIMUM_SKELETONS) skeletons.clear();
  skeletons.set(name, skeleton);
  return skeleton;
}

/** Each page of a rule compares the names of all rules and accounts. */
const skeletons = new Map<string, string>();
const MAXIMUM_SKELETONS = 5_000;

/** One name of a subject; a payee or rule may have a second one, of a version that waits. */
export interface Named {
  id: string;
  kind: LookAlike["kind"];
  name: string;
}

/** People choose a destination among accounts and payees, and read which key or assistant asks. */
const CHOSEN_AMONG: Record<LookAlike["kind"], string> = {
  ACCOUNT: "PARTY",
  PAYEE: "PARTY",
  RULE: "RULE",
  BENEFICIARY: "BENEFICIARY",
  KEY: "CALLER",
  ASSISTANT: "CALLER",
};

/** By id, the first other one of those it is chosen among that looks the same by one of their names. */
export function findLookAlikes(rows: readonly Named[]): ReadonlyMap<string, NamedAlike> {
  const keyOf = ({ kind, name }: Named) => `${CHOSEN_AMONG[kind]} ${skeletonOf(name)}`;
  const firsts = new Map<string, Named[]>();
  for (const row of rows) {
    const first = firsts.get(keyOf(row));
    // Two are enough, so that each of them finds another one.
    if (!first) firsts.set(keyOf(row), [row]);
    else if (first.length < 2 && first.every(({ id }) => id !== row.id)) first.push(row);
  }
  const alike = new Map<string, NamedAlike>();
  for (const row of rows) {
    const other = firsts.get(keyOf(row))?.find(({ id }) => id !== row.id);
    if (!other || alike.has(row.id)) continue;
    alike.set(row.id, { kind: other.kind, name: row.name, otherId: other.id, otherName: other.name });
  }
  return alike;
}
