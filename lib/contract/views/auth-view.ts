import type { Refused } from "@/lib/contract/refused";

/** Outcome of one attempt to sign in. */
export type SignInResult =
  | { kind: "SIGNED_IN"; href: string }
  /** One sentence; it never says whether the address exists. */
  | { kind: "FAILED"; message: string }
  /** The password is right, and takes the code of an authenticator app too. */
  | { kind: "CODE_NEEDED" }
  | { kind: "THROTTLED"; retryAfterSeconds: number };

export interface SignInView {
  /** Null before an organization exists. */
  organizationName: string | null;
  isSandbox: boolean;
  /** Whether anyone may create an account. */
  isSignUpOpen: boolean;
}

export interface PasskeyView {
  id: string;
  name: string;
  addedAt: string;
  lastUsedAt: string | null;
}

/** A member's own ways to sign in. */
export interface SecurityView {
  passkeys: PasskeyView[];
  /** Null when none were made. */
  recoveryCodes: { leftCount: number; madeCount: number; madeAt: string } | null;
  authenticator: { addedAt: string } | null;
  /** Null: never changed. */
  passwordChangedAt: string | null;
  /** Active sessions: this one first, then most recently seen; at most 50. */
  sessions: SessionView[];
}

export interface SessionView {
  id: string;
  /** `Chrome on macOS`, from the browser's user agent. */
  browser: string;
  /** Network of the sign-in, shortened; null if unknown. */
  network: string | null;
  startedAt: string;
  /** Within the hour. */
  lastSeenAt: string;
  isThisOne: boolean;
}

/** What an app needs, shown once. */
export interface NewAuthenticatorView {
  /** Base 32, for typing. */
  secret: string;
  /** One path over a square of `size` units. */
  qr: { size: number; path: string };
}

/** What remains until an organization that requires a second factor lets a session in. */
export type FactorStep =
  /** `ADD`: they have none yet. */
  { kind: "PROVE"; proof: "PASSKEY" | "PASSWORD_AND_CODE" } | { kind: "ADD" };

export interface SecondFactorView {
  /** The member and organization this page showed, sent with every request (lib/contract/shown.ts). */
  shown: string;
  organizationName: string;
  /** Their other organizations, which stay accessible. */
  others: { id: string; name: string }[];
  email: string;
  step: FactorStep;
  isSandbox: boolean;
}

/** Outcome of a change to a member's own ways to sign in. */
export type SecurityResult =
  | { kind: "DONE" }
  /** Shown once: only hashes are stored. */
  | { kind: "CODES"; codes: string[] }
  | Refused;

/** Longest name of a passkey, in characters. */
export const PASSKEY_NAME_LIMIT = 60;
