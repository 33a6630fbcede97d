"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { answerPasskey } from "@/components/auth/answer-passkey";
import type { Refused } from "@/lib/contract/refused";
import type { PresenceActions } from "@/lib/contract/views/keys-view";

const UNREACHABLE = "Sluice did not answer. Nothing was changed. Try again.";

/** Asks for a challenge, the passkey to sign it, and the server to take that. */
export async function proveByPasskey(actions: PresenceActions): Promise<{ kind: "DONE" } | Refused> {
  const begun = await actions.beginPresence();
  if (begun.kind === "REFUSED") return begun;
  // Confirmed in another tab meanwhile.
  if (begun.request.kind !== "PASSKEY") return { kind: "DONE" };
  const answer = await answerPasskey(begun.request.options);
  if (answer.kind === "SIGNED")
    return actions.confirmPresence({ kind: "PASSKEY", response: answer.response });
  const message =
    answer.kind === "CANCELLED" ? "Your passkey was cancelled." : "Your passkey did not work. Try again.";
  return { kind: "REFUSED", message };
}

/** Gives a proof of who sits here, and draws the page as it is after it. */
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
