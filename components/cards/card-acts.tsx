"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { StepUpRefusal, useStepUp } from "@/components/auth/use-step-up";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Refused } from "@/lib/contract/refused";
import type { CardActions, CardView, CardViewerView } from "@/lib/contract/views/cards-view";
import type { PresenceActions } from "@/lib/contract/views/keys-view";

interface CardSwitchProps {
  card: Pick<CardView, "id" | "name" | "status">;
  viewer: CardViewerView;
  actions: CardActions;
}

/** Every member can freeze immediately; thawing needs an owner or co-owner and step-up. */
export function CardSwitch({ card, viewer, actions }: CardSwitchProps) {
  const router = useRouter();
  const { refusal, isBusy, dialog, act, actWithProof, actWithRecoveryCode } = useCardAct(
    actions,
    "Thaw card",
  );
  const isFrozen = card.status === "FROZEN";
  const refresh = () => router.refresh();
  const thaw = () => actions.thawCard({ cardId: card.id });
  const toggle = () =>
    isFrozen ? actWithProof(thaw, refresh) : act(() => actions.freezeCard({ cardId: card.id }), refresh);
  if (isFrozen && !viewer.canDecide)
    return <span className="meta">Only an owner or co-owner can thaw it.</span>;
  return (
    <>
      <span className="pc-s">
        <span className="meta" aria-hidden="true">
          Freeze
        </span>
        <button
          className="sw"
          type="button"
          role="switch"
          aria-checked={isFrozen}
          aria-label={`Freeze ${card.name}`}
          aria-disabled={isBusy || undefined}
          onClick={isBusy ? undefined : toggle}
        />
      </span>
      <StepUpRefusal
        message={refusal}
        onRecoveryCode={isFrozen && viewer.hasPasskey ? () => actWithRecoveryCode(thaw, refresh) : null}
      />
      {dialog}
    </>
  );
}

/** Closes a card permanently, after a confirmation that explains it. */
export function CloseCard({ card, actions }: { card: Pick<CardView, "id" | "name">; actions: CardActions }) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const { refusal, isBusy, act } = useCardAct(actions, "Close card");
  const close = () => {
    setIsOpen(false);
    router.refresh();
  };
  return (
    <>
      <button className="link lb" type="button" onClick={() => setIsOpen(true)}>
        Close card<span className="vh"> {card.name}</span>
      </button>
      {isOpen ? (
        <Dialog title={`Close ${card.name}?`} onCancel={() => setIsOpen(false)}>
          <p className="dialog-l">
            It can never be used or reopened. Purchases already authorized still settle, and refunds still
            arrive.
          </p>
          <StepUpRefusal message={refusal} onRecoveryCode={null} />
          <div className="btns">
            <Button kind="quiet" onClick={() => setIsOpen(false)}>
              Keep it
            </Button>
            <Button
              kind="primary"
              busy={isBusy}
              onClick={() => act(() => actions.closeCard({ cardId: card.id }), close)}
            >
              {isBusy ? "Closing" : "Close card"}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

type Answer = { kind: "DONE" } | Refused;

const UNKNOWN: Refused = {
  kind: "REFUSED",
  message: "Sluice did not answer, so we don’t know whether it took effect. Reload the list of cards to see.",
};

/** One action on a card, with or without step-up, and its outcome. */
export function useCardAct(presence: PresenceActions, confirmLabel: string) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const stepUp = useStepUp(presence, { title: "Confirm that it is you", confirmLabel });

  // Not a transition: it would delay the dialog that this waits for.
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
    /** For actions that only remove access, which need no step-up. */
    act: (act: () => Promise<Answer>, onDone: () => void) =>
      void run(async () => ({ kind: "DONE" }), act, onDone),
    actWithProof: (act: () => Promise<Answer>, onDone: () => void) => void run(stepUp.prove, act, onDone),
    actWithRecoveryCode: (act: () => Promise<Answer>, onDone: () => void) =>
      void run(stepUp.proveWithRecoveryCode, act, onDone),
  };
}
