import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hash, verify } from "@node-rs/argon2";
import { z } from "zod";
import { projectPath } from "@/lib/platform/project-path";

/**
 * The ten thousand most common passwords of leaked lists, and all with ten or more characters among the fifty thousand
 * most common, in lower case (from @zxcvbn-ts/language-common 4.1.3, MIT).
 */
const FILE = "lib/core/sign-in/common-passwords.txt";

/** Words that are obvious here but on no list. */
const OWN_WORDS = ["sluice"];

/** What remains of a password without an obvious word must be hard to guess by itself. */
const LEAST_REST = 8;

/** A repetition adds nothing: `abcabcabcabc`. */
const LONGEST_SYLLABLE = 4;

let common: ReadonlySet<string> | null = null;

/**
 * A new password. Length makes it strong unless it is popular, so it must not be one of those that attackers try first;
 * the upper bound keeps hashing cheap.
 */
export const newPasswordSchema = z
  .string()
  .min(10, { error: "must have at least 10 characters", abort: true })
  .max(200, "must have at most 200 characters")
  .refine((password) => !isCommonPassword(password), {
    message: "must not be a common password or a slight variation of one",
  });

/** A claimed password: anything worth hashing. */
export const givenPasswordSchema = z.string().min(1).max(200);

/** OWASP's first choice for argon2id, which is the library's default algorithm. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** A hash of an unknown random text; created once, when first needed. */
let decoyHash: Promise<string> | null = null;

/**
 * Whether the password is correct. `passwordHash` is null for an unknown address: the same work is then done against a
 * decoy, so that response times do not reveal who has an account.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoyHash ??= hashPassword(randomBytes(32).toString("base64url"));
  const decoy = await decoyHash;
  const fits = await verify(passwordHash ?? decoy, password);
  return fits && passwordHash !== null;
}

/**
 * Whether attackers would try this password early: on the list, a listed word with digits or signs around it
 * (`Dragon2024!`), one word repeated (`dragondragon`), or the product's name with little else.
 */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(readFileSync(projectPath(FILE), "utf8").split("\n"));
  const lower = password.toLowerCase();
  const word = lower.replace(/^[^a-z]{1,200}/, "").replace(/[^a-z]{1,200}$/, "");
  const rest = OWN_WORDS.reduce((text, own) => text.replaceAll(own, ""), lower);
  if (rest !== lower && rest.length < LEAST_REST) return true;
  return [lower, word].some((one) => common?.has(one) || isRepetition(one));
}

/** One text repeated, where it is short or on the list. */
function isRepetition(text: string): boolean {
  const at = `${text}${text}`.indexOf(text, 1);
  return at > 0 && at < text.length && (at <= LONGEST_SYLLABLE || common?.has(text.slice(0, at)) === true);
}
