"use client";

import { useSecurityChange } from "@/components/auth/use-security-change";
import { useStepUp } from "@/components/auth/use-step-up";
import type { SecurityResult } from "@/lib/contract/views/auth-view";
import type { PresenceActions } from "@/lib/contract/views/keys-view";

/** As `useSecurityChange`, asking first who sits here where that was not proved just now. `dialog` must be rendered. */
export function useProvenChange(actions: PresenceActions) {
  const change = useSecurityChange();
  const { prove, dialog } = useStepUp(actions, { title: "Confirm that it is you", confirmLabel: "Confirm" });
  return {
    ...change,
    dialog,
    run: (act: () => Promise<SecurityResult>, onDone: () => void) =>
      change.run(async () => {
        const proof = await prove();
        return proof.kind === "DONE" ? act() : proof;
      }, onDone),
  };
}
