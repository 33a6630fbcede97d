"use client";

import { nothingSent } from "@/components/actions/answer-lost";
import { useAction } from "@/components/actions/use-action";
import { proveByPasskey } from "@/components/auth/passkey-prompt";
import type { Confirmation, PresenceActions } from "@/lib/contract/views/decision";

/** Confirms who is here, by passkey or by what was typed. */
export function usePresence(actions: PresenceActions) {
  return useAction({
    act: (proof: "PASSKEY" | Confirmation) =>
      proof === "PASSKEY" ? proveByPasskey(actions) : actions.confirmPresence(proof),
    whenLost: nothingSent("Nothing was changed. Try again."),
  });
}
