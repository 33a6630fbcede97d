import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hash, verify } from "@node-rs/argon2";
import { z } from "zod";
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
 * A new password. Length makes it strong unless everybody has the same idea, so it must not be one of those that are
 * tried first; the upper bound keeps hashing cheap.
 */
export const newPasswordSchema = z
  .string()
  .min(10, { error: "must have at least 10 characters", abort: true })
  .max(200, "must have at most 200 characters")
  .refine((password) => !isCommonPassword(password), {
    message: "must not be one that is tried first: it is a common password, or hardly more than one",
  });

/** What somebody claims to be their password: anything that is worth hashing. */
export const givenPasswordSchema = z.string().min(1).max(200);

/** OWASP's first choice for argon2id, which is the library's default algorithm. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** A hash of nothing that anybody knows; made once, when it is first needed. */
let decoyHash: Promise<string> | null = null;

/**
 * Whether the password fits. `passwordHash` is null for an address that nobody has: the same work is then done against
 * a decoy, or the time of the answer would tell strangers who has an account.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoyHash ??= hashPassword(randomBytes(32).toString("base64url"));
  const decoy = await decoyHash;
  const fits = await verify(passwordHash ?? decoy, password);
  return fits && passwordHash !== null;
}

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
