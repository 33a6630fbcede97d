import { wasCancelled } from "@/components/auth/answer-passkey";
import type { SecurityActions, SecurityResult } from "@/lib/contract/views/auth-view";

/** Asks the server for a challenge, the browser for a new passkey, and the server to keep it. */
export async function enrolPasskey(
  name: string,
  actions: Pick<SecurityActions, "beginEnrolment" | "finishEnrolment">,
): Promise<SecurityResult> {
  const begun = await actions.beginEnrolment();
  if (begun.kind === "REFUSED") return begun;
  try {
    const { startRegistration } = await import("@simplewebauthn/browser");
    const response = await startRegistration({ optionsJSON: begun.options });
    return await actions.finishEnrolment({ name, response });
  } catch (error) {
    return { kind: "REFUSED", message: enrolmentFailed(error) };
  }
}

function enrolmentFailed(error: unknown): string {
  if (wasCancelled(error)) return "Not added. The prompt was cancelled.";
  if (error instanceof Error && error.name === "InvalidStateError")
    return "Not added. This device already holds one of your passkeys.";
  return "Not added. The passkey did not work. Try again.";
}
