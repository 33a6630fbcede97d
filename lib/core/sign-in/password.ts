import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { z } from "zod";
import { isCommonPassword } from "@/lib/core/sign-in/common-password";

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
