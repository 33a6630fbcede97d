/** How somebody proved at sign-in, or since, who they are. */
export type SignInMethod = "PASSWORD" | "PASSKEY" | "RECOVERY_CODE";

/** What somebody has just proved who they are by. `withCode`: the password and the code of their authenticator app. */
export type SignInProof =
  | { method: "PASSKEY" }
  | { method: "RECOVERY_CODE" }
  | { method: "PASSWORD"; withCode: boolean };

/** Whether that is more than a password (a passkey is unlocked by its owner; a recovery code comes with the password). */
export function hasSecondFactor(proof: SignInProof): boolean {
  return proof.method !== "PASSWORD" || proof.withCode;
}

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
