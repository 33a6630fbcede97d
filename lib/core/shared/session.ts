/** How a person proved their identity, at sign-in or since. */
export type SignInMethod = "PASSWORD" | "PASSKEY" | "RECOVERY_CODE";

/** The proof just given. `withCode`: the password and the code of the authenticator app. */
export type SignInProof =
  | { method: "PASSKEY" }
  | { method: "RECOVERY_CODE" }
  | { method: "PASSWORD"; withCode: boolean };

/** Whether that is more than a password (a passkey is unlocked by its owner; a recovery code comes with the password). */
export function hasSecondFactor(proof: SignInProof): boolean {
  return proof.method !== "PASSWORD" || proof.withCode;
}

/** What a transport knows about a browser that signs in. */
export interface BrowserFacts {
  /** Null where the transport does not know it. */
  networkAddress: string | null;
  userAgent: string;
  /** Its ids from earlier sign-ins, untrusted (known-browsers.ts). */
  browserIds: readonly string[];
}

const DAY_MS = 24 * 60 * 60_000;
export const SESSION_LIFETIME_MS = 30 * DAY_MS;
export const SESSION_IDLE_MS = 7 * DAY_MS;

/** Cookies with the `__Secure-` prefix can neither be set nor read without TLS. */
export function usesSecureCookies(appUrl: string): boolean {
  return appUrl.startsWith("https://");
}

/** next-auth's name. */
export function sessionCookieName(appUrl: string): string {
  return `${usesSecureCookies(appUrl) ? "__Secure-" : ""}next-auth.session-token`;
}

/** `FAILED` never reveals what was wrong. */
export type SignInOutcome =
  /** `browserIds`: what this browser stores for its next sign-in. */
  | { kind: "SIGNED_IN"; userId: string; sessionId: string; browserIds: string[] }
  | { kind: "FAILED" }
  /** The password is correct; the authenticator app's code is missing. */
  | { kind: "CODE_NEEDED" }
  /** Invalid, or already used. */
  | { kind: "CODE_WRONG" }
  | { kind: "THROTTLED"; retryAfterSeconds: number };
