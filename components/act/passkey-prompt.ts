import { beginEnrollment, finishEnrollment } from "@/app/settings/security/actions";
import { answerPasskey, wasCancelled } from "@/components/act/answer-passkey";
import type { BoundPresence } from "@/components/act/prove";
import type { PasskeyAttestation } from "@/lib/contract/confirmation/decision";
import type { PasskeyCreationOptions } from "@/lib/contract/confirmation/passkeys";
import type { Refused } from "@/lib/contract/refused";

/** Outcome of a change to a member's own ways to sign in. */
export type SecurityResult =
  | { kind: "DONE" }
  /** Shown once: only hashes are stored. */
  | { kind: "CODES"; codes: string[] }
  | Refused;

/** Server challenge, browser prompt, server registration. */
export async function enrollPasskey(name: string, shown: string): Promise<SecurityResult> {
  const begun = await beginEnrollment(undefined, shown);
  if (begun.kind === "REFUSED") return begun;
  const answer = await registerPasskey(begun.options);
  // Outside any catch: if this answer is lost, the passkey may have been added.
  return answer.kind === "REFUSED" ? answer : finishEnrollment({ name, response: answer.response }, shown);
}

async function registerPasskey(
  options: PasskeyCreationOptions,
): Promise<{ kind: "SIGNED"; response: PasskeyAttestation } | Refused> {
  try {
    const { startRegistration } = await import("@simplewebauthn/browser");
    return { kind: "SIGNED", response: await startRegistration({ optionsJSON: options }) };
  } catch (error) {
    return { kind: "REFUSED", message: enrollmentFailed(error) };
  }
}

function enrollmentFailed(error: unknown): string {
  if (wasCancelled(error)) return "Not added. The prompt was canceled.";
  if (error instanceof Error && error.name === "InvalidStateError")
    return "Not added. This device already has one of your passkeys.";
  return "Not added. The passkey did not work. Try again.";
}

/** Server challenge, browser signature, server verification. */
export async function proveByPasskey(actions: BoundPresence): Promise<{ kind: "DONE" } | Refused> {
  const begun = await actions.beginPresence();
  if (begun.kind === "REFUSED") return begun;
  // Already confirmed in another tab.
  if (begun.request.kind !== "PASSKEY") return { kind: "DONE" };
  const answer = await answerPasskey(begun.request.options);
  if (answer.kind === "SIGNED")
    return actions.confirmPresence({ kind: "PASSKEY", response: answer.response });
  const message =
    answer.kind === "CANCELLED" ? "Your passkey was canceled." : "Your passkey did not work. Try again.";
  return { kind: "REFUSED", message };
}
