"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { Refused } from "@/lib/contract/refused";
import type { SecurityActions, SecurityResult } from "@/lib/contract/views/auth-view";
import type { PasskeyAssertion, PasskeyRequestOptions } from "@/lib/contract/views/decision";
import type { PresenceActions } from "@/lib/contract/views/keys-view";

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
function wasCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError");
}

/** Server challenge, browser prompt, server registration. */
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
  if (wasCancelled(error)) return "Not added. The prompt was canceled.";
  if (error instanceof Error && error.name === "InvalidStateError")
    return "Not added. This device already has one of your passkeys.";
  return "Not added. The passkey did not work. Try again.";
}

const UNREACHABLE = "Sluice did not answer. Nothing was changed. Try again.";

/** Server challenge, browser signature, server verification. */
export async function proveByPasskey(actions: PresenceActions): Promise<{ kind: "DONE" } | Refused> {
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

/** Confirms who is here, then refreshes the page. */
export function usePresence() {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startProving] = useTransition();

  const run = (prove: () => Promise<{ kind: "DONE" } | Refused>) =>
    startProving(async () => {
      setRefusal(null);
      const result = await prove().catch((): Refused => ({ kind: "REFUSED", message: UNREACHABLE }));
      if (result.kind === "REFUSED") setRefusal(result.message);
      else router.refresh();
    });

  return { refusal, isBusy, run };
}
