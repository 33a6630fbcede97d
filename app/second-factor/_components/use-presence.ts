"use client";

import { nothingSent } from "@/components/act/answer-lost";
import { proveByPasskey } from "@/components/act/passkey-prompt";
import { presenceFor } from "@/components/act/presence-for";
import { useAction } from "@/components/act/use-action";
import type { Confirmation } from "@/lib/contract/confirmation/decision";

/** Completes the sign-in, by passkey or by what was typed. */
export function usePresence() {
  return useAction(
    (proof: "PASSKEY" | Confirmation, shown) => {
      const presence = presenceFor("COMPLETE_SIGN_IN", shown);
      return proof === "PASSKEY" ? proveByPasskey(presence) : presence.confirmPresence(proof);
    },
    { whenLost: nothingSent("Nothing was changed. Try again.") },
  );
}
