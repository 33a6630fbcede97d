import { createHash, randomBytes, randomInt } from "node:crypto";
import type { ErrorDetail } from "@/lib/contract/error";
import type { Throttled } from "@/lib/core/shared/throttle";
import { hashPassword } from "@/lib/core/sign-in/password";
import type { Config } from "@/lib/platform/config";
import type { Services } from "@/lib/platform/services";

/** A started sign-up, found by the token that its browser stores. */
interface FoundSignUp {
  email: string;
  name: string;
  /** The code was entered; only naming the organization is left. */
  isVerified: boolean;
}

export type SignUpRefusal =
  | Throttled
  | { kind: "INVALID"; details: ErrorDetail[] }
  /** This server already has an owner, and sign-up is closed. */
  | { kind: "CLOSED" };

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;
export const SIGN_UP_CODE_LIFETIME_MS = 10 * 60_000;
export const SIGN_UP_CODE_TRIES = 5;
/** From the first form to the last. */
export const SIGN_UP_LIFETIME_MS = 24 * 60 * 60_000;

/** 256 random bits, which the browser stores between the steps. */
export function newSignUpToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored hash of it; null for a malformed one. */
export function hashSignUpToken(token: string): Buffer | null {
  return TOKEN_PATTERN.test(token) ? createHash("sha256").update(token).digest() : null;
}

export async function newSignUpCode(email: string): Promise<{ code: string; hash: string }> {
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  return { code, hash: await hashPassword(signUpCodeSecret(email, code)) };
}

/** The hashed text: it binds the code to one address. */
export function signUpCodeSecret(email: string, code: string): string {
  return `sluice sign-up code ${email} ${code}`;
}

/** Null: nothing was started in this browser, or it has expired. */
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

/** Whether strangers may sign up now. `finishSignUp` decides; this spares late ones the form. */
export async function isSignUpOpen(services: Pick<Services, "pool">, policy: SignUpPolicy): Promise<boolean> {
  return policy === "OPEN" || !(await hasOrganization(services));
}

/** Whether anyone could sign in at all: false in a database without setup. */
export async function hasOrganization(services: Pick<Services, "pool">): Promise<boolean> {
  const { rowCount } = await services.pool.query("select 1 from organizations limit 1");
  return rowCount === 1;
}
