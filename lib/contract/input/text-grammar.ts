/**
 * Which texts callers may write, as a regular language: the validator compiles it with Unicode properties, the OpenAPI
 * document with the same characters as plain ranges, so that both promise the same. No look-around: several engines that
 * read JSON Schema have none.
 */

/** Classes of characters, each as the inside of `[…]`. */
export interface TextClasses {
  /** Controls, overrides of direction, and what is not drawn. */
  unseen: string;
  /** Letters and marks of scripts in which a joiner changes a shape. */
  joining: string;
  /** What an emoji sequence is made of. */
  pictographs: string;
  skinTones: string;
  /** Spaces and combining marks: drawn, but as nothing of their own. */
  blank: string;
}

/** Scripts whose letters change shape with a joiner between them; their marks belong to them. */
const JOINING_SCRIPTS = [
  ...["Arab", "Beng", "Deva", "Gujr", "Guru", "Khmr", "Knda", "Mlym", "Mong", "Mymr", "Nkoo", "Orya"],
  ...["Sinh", "Syrc", "Taml", "Telu", "Tibt"],
];

/**
 * Control characters forge lines in logs and mails; bidirectional overrides make a text read differently from how it
 * is written ("$10 ot…"); characters that are not drawn (zero-width spaces, tags, fillers, variation selectors) make
 * two names look the same, or speak to an agent and not to the person beside it. Line breaks and tabs are refused
 * too: these texts are one paragraph. A lone surrogate cannot be stored as UTF-8.
 */
export const TEXT_CLASSES: TextClasses = {
  unseen: "\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Surrogate}\\u2028\\u2029\\u2800",
  joining: JOINING_SCRIPTS.map((script) => `\\p{scx=${script}}`).join(""),
  pictographs: "\\p{Extended_Pictographic}",
  skinTones: "\\p{Emoji_Modifier}",
  blank: "\\s\\p{Z}\\p{M}",
};

const NON_JOINER = "\u200c";
const JOINER = "\u200d";
/** Requests the color form of an emoji. */
const COLORED = "\ufe0f";
const KEYCAP = "\u20e3";

/** Source of the expression that all of a text must match. */
export function plainTextSource(classes: TextClasses): string {
  return `^(?:${charactersOf(classes)})*$`;
}

/** The mark of a letter that was lost when a file was read in another encoding: a bank would get it in a name. */
const LOST_LETTER = "\\ufffd";

/** The same for a name, which must show something, and all of it. */
export function nameSource(textClasses: TextClasses): string {
  const classes = { ...textClasses, unseen: `${textClasses.unseen}${LOST_LETTER}` };
  const any = `(?:${charactersOf(classes)})*`;
  return `^${any}(?:[^${classes.unseen}${classes.blank}]|${sequencesOf(classes)})${any}$`;
}

const charactersOf = (classes: TextClasses) => `[^${classes.unseen}]|${sequencesOf(classes)}`;

/** Where a character that is not drawn belongs: between joining letters, and inside an emoji. Each text is read one way. */
function sequencesOf({ joining, pictographs, skinTones }: TextClasses): string {
  const joined = `(?:${JOINER}[${pictographs}]${COLORED}?)`;
  return [
    `[${joining}](?:[${NON_JOINER}${JOINER}][${joining}])+`,
    `[${pictographs}]${COLORED}${joined}*`,
    `[${pictographs}${skinTones}]${joined}+`,
    `[0-9#*]${COLORED}${KEYCAP}`,
  ].join("|");
}
