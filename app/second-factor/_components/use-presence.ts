"use client";

import { nothingSent } from "@/components/actions/answer-lost";
import { useAction } from "@/components/actions/use-action";
import { proveByPasskey } from "@/components/auth/passkey-prompt";
import type { BoundPresence } from "@/components/auth/prove";
import type { Confirmation } from "@/lib/contract/views/decision";

/** Confirms who is here, by passkey or by what was typed. */
export function usePresence(actions: BoundPresence) {
  return useAction({
    act: (proof: "PASSKEY" | Confirmation) =>
      proof === "PASSKEY" ? proveByPasskey(actions) : actions.confirmPresence(proof),
    whenLost: nothingSent("Nothing was changed. Try again."),
  });
}
