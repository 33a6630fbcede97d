/** How somebody proved at sign-in, or since, who they are. */
export type SignInMethod = "PASSWORD" | "PASSKEY" | "RECOVERY_CODE";

/** What a door knows of a browser that signs in. */
export interface BrowserFacts {
  /** Null where the door does not know it. */
  networkAddress: string | null;
  userAgent: string;
  /** What it keeps of earlier sign-ins, as it says itself (known-browsers.ts). */
  browserIds: readonly string[];
}

const DAY_MS = 24 * 60 * 60_000;
export const SESSION_LIFETIME_MS = 30 * DAY_MS;
export const SESSION_IDLE_MS = 7 * DAY_MS;

/** `FAILED` never says what was wrong. */
export type SignInOutcome =
  /** `browserIds`: what this browser is to keep for its next sign-in. */
  | { kind: "SIGNED_IN"; userId: string; sessionId: string; browserIds: string[] }
  | { kind: "FAILED" }
  /** The password is right, and their authenticator app's code is missing. */
  | { kind: "CODE_NEEDED" }
  /** It does not fit, or was used. */
  | { kind: "CODE_WRONG" }
  | { kind: "THROTTLED"; retryAfterSeconds: number };
