"use client";

import { FingerprintPattern } from "lucide-react";
import { StepUpRefusal } from "@/components/auth/step-up-refusal";
import { useOpenGates } from "@/components/gates/use-open-gates";
import { Button } from "@/components/ui/button";
import type { GatesActions } from "@/lib/contract/views/gates-view";

interface OpenGatesProps {
  closingId: string;
  hasPasskey: boolean;
  actions: GatesActions;
  /** The panel's is the page's one primary button; the band's stands on ink. */
  place: "panel" | "band";
}

/** The way back to moving money; the press asks for the proof at once. */
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
