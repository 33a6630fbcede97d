"use client";

import { useRouter } from "next/navigation";
import { StepUpRefusal } from "@/components/auth/use-step-up";
import { useCardAct } from "@/components/cards/use-card-act";
import type { CardActions, CardView, CardViewerView } from "@/lib/contract/views/cards-view";

interface CardSwitchProps {
  card: Pick<CardView, "id" | "name" | "status">;
  viewer: CardViewerView;
  actions: CardActions;
}

/** Freezes at once, for every member; thaws for those who decide, once they have proved that it is they. */
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
  if (isFrozen && !viewer.canDecide) return <span className="meta">Only an owner or co-owner thaws it.</span>;
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
