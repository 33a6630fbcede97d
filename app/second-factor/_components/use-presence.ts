"use client";

import { nothingSent } from "@/components/act/answer-lost";
import { proveByPasskey } from "@/components/act/passkey-prompt";
import type { BoundPresence } from "@/components/act/prove";
import { useAction } from "@/components/act/use-action";
import type { Confirmation } from "@/lib/contract/confirmation/decision";

/** Confirms who is here, by passkey or by what was typed. */
export function usePresence(actions: BoundPresence) {
  return useAction({
    act: (proof: "PASSKEY" | Confirmation) =>
      proof === "PASSKEY" ? proveByPasskey(actions) : actions.confirmPresence(proof),
    whenLost: nothingSent("Nothing was changed. Try again."),
  });
}
