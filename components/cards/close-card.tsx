"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { StepUpRefusal } from "@/components/auth/use-step-up";
import { useCardAct } from "@/components/cards/use-card-act";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { CardActions, CardView } from "@/lib/contract/views/cards-view";

/** Closes a card for good, after saying what that means. */
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
            It never spends again, and cannot be opened again. What a shop has already taken still settles,
            and refunds still arrive.
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
