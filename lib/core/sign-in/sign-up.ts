import { createHash, randomBytes, randomInt } from "node:crypto";
import type { ErrorDetail } from "@/lib/contract/error";
import type { Throttled } from "@/lib/core/shared/throttle";
import { hashPassword } from "@/lib/core/sign-in/password";
import type { Config } from "@/lib/platform/config";
import type { Services } from "@/lib/platform/services";

/** Somebody who began to sign up, found by the token that their browser keeps. */
interface FoundSignUp {
  email: string;
  name: string;
  /** The code was entered: what is left is to name the organization. */
  isVerified: boolean;
}

export type SignUpRefusal =
  | Throttled
  | { kind: "INVALID"; details: ErrorDetail[] }
  /** Somebody has set up this server, and nobody else may by themselves. */
  | { kind: "CLOSED" };

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
export const SIGN_UP_CODE_LIFETIME_MS = 10 * 60_000;
export const SIGN_UP_CODE_TRIES = 5;
/** From the first form to the last. */
export const SIGN_UP_LIFETIME_MS = 24 * 60 * 60_000;

/** 256 random bits: what the browser keeps between the steps, and by which they are found. */
export function newSignUpToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of it; null for what cannot be one. */
export function hashSignUpToken(token: string): Buffer | null {
  return TOKEN_PATTERN.test(token) ? createHash("sha256").update(token).digest() : null;
}

export async function newSignUpCode(email: string): Promise<{ code: string; hash: string }> {
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  return { code, hash: await hashPassword(signUpCodeSecret(email, code)) };
}

/** What is hashed: a code for another address fits nowhere else. */
export function signUpCodeSecret(email: string, code: string): string {
  return `sluice sign-up code ${email} ${code}`;
}

/** Null: nothing was begun in this browser, or it ran out. */
export async function findSignUp(
  services: Pick<Services, "pool" | "clock">,
  token: string,
): Promise<FoundSignUp | null> {
  const tokenHash = hashSignUpToken(token);
  if (!tokenHash) return null;
  const { rows } = await services.pool.query<FoundSignUp>({
    name: "find_sign_up",
    text: `select email, name, verified_at is not null as "isVerified" from sign_ups
            where token_hash = $1 and expires_at > $2`,
    values: [tokenHash, services.clock.now()],
  });
  return rows[0] ?? null;
}

export type SignUpPolicy = Config["signUp"];

/** Whether a stranger may sign up now. `finishSignUp` decides; this spares those who come too late the way there. */
export async function isSignUpOpen(services: Pick<Services, "pool">, policy: SignUpPolicy): Promise<boolean> {
  return policy === "OPEN" || !(await hasOrganization(services));
}

/** Whether anybody could sign in at all: false in a database that was never set up. */
export async function hasOrganization(services: Pick<Services, "pool">): Promise<boolean> {
  const { rowCount } = await services.pool.query("select 1 from organizations limit 1");
  return rowCount === 1;
}
