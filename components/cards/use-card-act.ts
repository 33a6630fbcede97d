"use client";

import { useState } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import type { Refused } from "@/lib/contract/refused";
import type { PresenceActions } from "@/lib/contract/views/keys-view";

type Answer = { kind: "DONE" } | Refused;

const UNKNOWN: Refused = {
  kind: "REFUSED",
  message: "Sluice did not answer, so we do not know whether it took effect. Load the list of cards to see.",
};

/** One act on a card, with or without asking once more who sits here, and what became of it. */
export function useCardAct(presence: PresenceActions, confirmLabel: string) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const stepUp = useStepUp(presence, { title: "Confirm that it is you", confirmLabel });

  // Not a transition: the dialog for a typed proof opens while this waits for it, and a transition would hold it back.
  async function run(prove: () => Promise<Answer>, act: () => Promise<Answer>, onDone: () => void) {
    setRefusal(null);
    setIsBusy(true);
    const proof = await prove();
    const answer = proof.kind === "DONE" ? await act().catch(() => UNKNOWN) : proof;
    setIsBusy(false);
    if (answer.kind === "REFUSED") setRefusal(answer.message);
    else onDone();
  }

  return {
    refusal,
    isBusy,
    dialog: stepUp.dialog,
    /** For what closes a way for money: that takes no proof. */
    act: (act: () => Promise<Answer>, onDone: () => void) =>
      void run(async () => ({ kind: "DONE" }), act, onDone),
    actWithProof: (act: () => Promise<Answer>, onDone: () => void) => void run(stepUp.prove, act, onDone),
    actWithRecoveryCode: (act: () => Promise<Answer>, onDone: () => void) =>
      void run(stepUp.proveWithRecoveryCode, act, onDone),
  };
}
