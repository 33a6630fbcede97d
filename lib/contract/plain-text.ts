import { z } from "zod";
import { nameSource, plainTextSource, TEXT_CLASSES } from "@/lib/contract/input/text-grammar";

/** Allowed between joining letters, inside an emoji, and where an emoji requests its color form. */
const NEEDED = [
  `(?<=[${TEXT_CLASSES.joining}])[\\u200c\\u200d](?=[${TEXT_CLASSES.joining}])`,
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Extended_Pictographic})\\ufe0f",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
].join("|");
/** A character that is refused, in its place. */
const UNSEEN = new RegExp(`(?!${NEEDED})[${TEXT_CLASSES.unseen}]`, "u");
const EACH_UNSEEN = new RegExp(UNSEEN, "gu");

const PLAIN_TEXT = new RegExp(plainTextSource(TEXT_CLASSES), "u");
const NAME = new RegExp(nameSource(TEXT_CLASSES), "u");

/** How the OpenAPI document recognizes these texts; it replaces both by references. */
export const PLAIN_TEXT_FORMAT = "plain-text";
export const NAME_FORMAT = "name";

/**
 * Free text from a caller: at most `maximumLength` characters (code points, as JSON Schema counts), with nothing
 * invisible that deceives a reader.
 */
export function plainText(maximumLength: number) {
  return z
    .string()
    .refine((text) => text.length <= maximumLength || countCharacters(text, maximumLength) <= maximumLength, {
      message: `must be at most ${maximumLength} characters`,
      abort: true,
    })
    .refine((text) => PLAIN_TEXT.test(text), {
      message: "must not contain control, invisible or bidirectional-override characters",
      abort: true,
    })
    .meta({ maxLength: maximumLength, format: PLAIN_TEXT_FORMAT });
}

/** Counts only as far as it matters: a huge text must not become a huge array. */
function countCharacters(text: string, maximum: number): number {
  return text.length > 2 * maximum ? text.length : [...text].length;
}

/** Whether a text shows something: spaces and combining marks alone are blank to the eye. A replaced character shows. */
export const isVisible = (text: string): boolean => NAME.test(text.replaceAll(REPLACEMENT, "?"));

/**
 * The name of anything that people read and choose by: `plainText` that shows something, trimmed, so that no two names
 * differ only invisibly.
 */
export function nameText(maximumLength: number, emptyMessage = "must not be empty") {
  return plainText(maximumLength)
    .refine((name) => name.trim() !== "", { message: emptyMessage, abort: true })
    .refine((name) => !name.includes(REPLACEMENT), { message: DAMAGED_NAME, abort: true })
    .refine(isVisible, { message: "must not be blank" })
    .meta({ format: NAME_FORMAT })
    .trim();
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

const DAMAGED_NAME = "must not contain \uFFFD: a letter was lost in another encoding";

/** A JSON value with `seenText` applied to every text. Field names are ours. */
export function seenJson(value: unknown): unknown {
  if (typeof value === "string") return seenText(value, REPLACEMENT);
  if (Array.isArray(value)) return value.map(seenJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, seenJson(inner)]));
}

/**
 * A name as it renders: spaces of any width and number, full width, precomposed or not, case and a missing dot make no
 * other name of it. Two that are equal are one name.
 */
export function renderedName(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\s+/gu, " ")
    .trim()
    .toLowerCase()
    .replaceAll(/i\u0307|\u0131/gu, "i");
}
