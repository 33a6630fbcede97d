"use client";

import type { PasskeyAssertion, PasskeyRequestOptions } from "@/lib/contract/views/passkey";

/** What became of asking for a passkey. */
export type PasskeyAnswer =
  | { kind: "SIGNED"; response: PasskeyAssertion }
  | { kind: "CANCELLED" }
  | { kind: "FAILED" };

/** Opens the browser's passkey prompt. The library loads only now: reading a page never needs it. */
export async function answerPasskey(options: PasskeyRequestOptions): Promise<PasskeyAnswer> {
  try {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    return { kind: "SIGNED", response: await startAuthentication({ optionsJSON: options }) };
  } catch (error) {
    return { kind: wasCancelled(error) ? "CANCELLED" : "FAILED" };
  }
}

/** Browsers report a closed prompt, and one that timed out, under this one name. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError");
}
