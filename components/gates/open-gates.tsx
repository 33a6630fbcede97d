"use client";

import { FingerprintPattern } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { StepUpRefusal, useStepUp } from "@/components/auth/use-step-up";

import { Button } from "@/components/ui/button";
import type { Refused } from "@/lib/contract/refused";
import type { Confirmation } from "@/lib/contract/views/decision";
import type { GatesActions, OpenGatesResult } from "@/lib/contract/views/gates-view";

const UNKNOWN: OpenGatesResult = {
  kind: "REFUSED",
  message: "Sluice did not answer, so the gates may or may not be open. Reload the page to check.",
};

interface OpenGatesProps {
  closingId: string;
  hasPasskey: boolean;
  actions: GatesActions;
  /** The panel has the page's primary button; the band is dark. */
  place: "panel" | "band";
}

export function OpenGates({ closingId, hasPasskey, actions, place }: OpenGatesProps) {
  const opening = useOpenGates(closingId, actions);
  const isPanel = place === "panel";
  return (
    <>
      <Button
        kind={isPanel ? "primary" : "outlined"}
        size={isPanel ? "large" : undefined}
        wide={isPanel}
        busy={opening.isBusy}
        onClick={opening.open}
      >
        {hasPasskey ? <FingerprintPattern className="ic" /> : null}
        {opening.isBusy ? "Opening" : hasPasskey ? "Open with passkey" : "Open the gates"}
      </Button>
      <StepUpRefusal
        message={opening.problem}
        onRecoveryCode={hasPasskey ? opening.openWithRecoveryCode : null}
      />
      {opening.dialog}
    </>
  );
}

type Proof = { kind: "DONE" } | Refused;

/** Opens the gates. The proof (passkey, password or recovery code) is bound to this closing. */
function useOpenGates(closingId: string, actions: GatesActions) {
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const result = useRef<OpenGatesResult | null>(null);

  async function send(confirmation: Confirmation): Promise<Proof> {
    const answer = await actions.openGates({ closingId, confirmation }).catch(() => UNKNOWN);
    result.current = answer;
    // A wrong password is corrected in the dialog; everything else is shown on the page.
    return answer.kind === "NOT_CONFIRMED" ? { kind: "REFUSED", message: answer.message } : { kind: "DONE" };
  }

  const stepUp = useStepUp(
    {
      async beginPresence() {
        const begun = await actions.beginOpening({ closingId });
        if (begun.kind !== "BEGUN" || begun.request.kind !== "NONE") return begun;
        const sent = await send({ kind: "NONE" });
        return sent.kind === "REFUSED" ? sent : begun;
      },
      confirmPresence: send,
    },
    { title: "Open the gates", confirmLabel: "Open the gates" },
  );

  // Not a transition, which would hold back the dialog that this waits for.
  async function run(prove: () => Promise<Proof>): Promise<void> {
    setProblem(null);
    setIsBusy(true);
    result.current = null;
    const proof = await prove();
    setIsBusy(false);
    if (proof.kind === "REFUSED")
      return setProblem(proof.message.replace("Nothing was changed", "They stay closed"));
    const answer = result.current ?? UNKNOWN;
    if (answer.kind !== "OPENED") setProblem(answer.message);
    router.refresh();
  }

  return {
    problem,
    isBusy,
    dialog: stepUp.dialog,
    open: () => void run(stepUp.prove),
    openWithRecoveryCode: () => void run(stepUp.proveWithRecoveryCode),
  };
}
