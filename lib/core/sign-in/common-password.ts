import { readFileSync } from "node:fs";
import { projectPath } from "@/lib/platform/project-path";

/**
 * The ten thousand most used passwords of leaked lists, and all of ten characters or more among the fifty thousand most
 * used, lower case (from @zxcvbn-ts/language-common 4.1.3, MIT).
 */
const FILE = "lib/core/sign-in/common-passwords.txt";
/** Words that are obvious here and on no list: the product's own. */
const OWN_WORDS = ["sluice"];
/** What is left of a password without an obvious word has to be hard to guess by itself. */
const LEAST_REST = 8;
/** What is repeated says no more than itself: `abcabcabcabc`. */
const LONGEST_SYLLABLE = 4;

let common: ReadonlySet<string> | null = null;

/**
 * Whether a password is among the first that somebody would try: on the list, a word of the list with digits or signs
 * around it (`Dragon2024!`), one word again and again (`dragondragon`), or the product's name with little else.
 */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(readFileSync(projectPath(FILE), "utf8").split("\n"));
  const lower = password.toLowerCase();
  const word = lower.replace(/^[^a-z]{1,200}/, "").replace(/[^a-z]{1,200}$/, "");
  const rest = OWN_WORDS.reduce((text, own) => text.replaceAll(own, ""), lower);
  if (rest !== lower && rest.length < LEAST_REST) return true;
  return [lower, word].some((one) => common?.has(one) || isRepetition(one));
}

/** One text again and again, where that one is short or on the list. */
function isRepetition(text: string): boolean {
  const at = `${text}${text}`.indexOf(text, 1);
  return at > 0 && at < text.length && (at <= LONGEST_SYLLABLE || common?.has(text.slice(0, at)) === true);
}
