import type { PasskeyAssertion } from "@/lib/contract/confirmation/decision";
import type { PasskeyRequestOptions } from "@/lib/contract/confirmation/passkeys";

type PasskeyAnswer =
  | { kind: "SIGNED"; response: PasskeyAssertion }
  | { kind: "CANCELLED" }
  | { kind: "FAILED" };

/** Opens the browser's passkey prompt. The library is loaded here because most page views never need it. */
export async function answerPasskey(options: PasskeyRequestOptions): Promise<PasskeyAnswer> {
  try {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    return { kind: "SIGNED", response: await startAuthentication({ optionsJSON: options }) };
  } catch (error) {
    return { kind: wasCancelled(error) ? "CANCELLED" : "FAILED" };
  }
}

/** Browsers report a closed prompt and a timeout under the same name. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError");
}
