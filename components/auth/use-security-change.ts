"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import type { SecurityResult } from "@/lib/contract/views/auth-view";
import type { PresenceActions } from "@/lib/contract/views/keys-view";

const UNREACHABLE = "Sluice did not answer. Reload the page before you try again.";

/**
 * Runs one change to how a member signs in, then refreshes the page; while recovery codes are shown, only after they
 * are put away.
 */
export function useSecurityChange() {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isBusy, startChange] = useTransition();

  const run = (change: () => Promise<SecurityResult>, onDone: () => void) =>
    startChange(async () => {
      setRefusal(null);
      const result = await change().catch((): SecurityResult => ({ kind: "REFUSED", message: UNREACHABLE }));
      if (result.kind === "REFUSED") return setRefusal(result.message);
      onDone();
      if (result.kind === "CODES") setCodes(result.codes);
      else router.refresh();
    });

  return {
    refusal,
    clearRefusal: () => setRefusal(null),
    codes,
    forgetCodes: () => {
      setCodes(null);
      router.refresh();
    },
    isBusy,
    run,
  };
}

/** `useSecurityChange` after a step-up. `dialog` must be rendered. */
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
