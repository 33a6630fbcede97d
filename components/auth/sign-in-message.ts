import type { SignInResult } from "@/lib/contract/views/auth-view";

const MINUTE_SECONDS = 60;

/** What is said after an attempt that did not sign in; it never tells whether an address exists. */
export function signInMessage(result: Extract<SignInResult, { kind: "FAILED" | "THROTTLED" }>): string {
  if (result.kind === "FAILED") return result.message;
  return `Too many attempts. Try again in ${waitWords(result.retryAfterSeconds)}.`;
}

function waitWords(seconds: number): string {
  if (seconds <= MINUTE_SECONDS) return `${Math.max(1, Math.ceil(seconds))}\u00a0seconds`;
  return `${Math.ceil(seconds / MINUTE_SECONDS)}\u00a0minutes`;
}
