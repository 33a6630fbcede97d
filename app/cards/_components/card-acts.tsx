"use client";

import { closeCard, freezeCard, thawCard } from "@/app/cards/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { ConfirmButton } from "@/components/act/confirm-button";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { LiveButton } from "@/components/ui/live-button";
import { Switch } from "@/components/ui/switch";
import { LINK_BUTTON } from "@/components/ui/text-styles";
import type { CardView, CardViewerView } from "@/lib/views/cards/list-cards";

export const CARD_UNKNOWN = outcomeUnknown(
  "we don’t know whether it took effect. Reload the list of cards to see.",
);

interface CardSwitchProps {
  card: Pick<CardView, "id" | "name" | "status">;
  viewer: CardViewerView;
}

/** Every member can freeze immediately; thawing needs an owner or co-owner and step-up. */
export function CardSwitch({ card, viewer }: CardSwitchProps) {
  const isFrozen = card.status === "FROZEN";
  // Freezing removes access, so it needs no step-up and may be sent twice.
  const freezing = useAction(freezeCard, { whenLost: CARD_UNKNOWN, isRepeatable: true });
  const thawing = useAction(thawCard, {
    whenLost: CARD_UNKNOWN,
    proof: () => ({ act: `THAW_CARD:${card.id}`, title: `Thaw ${card.name}`, confirmLabel: "Thaw card" }),
  });
  const switching = isFrozen ? thawing : freezing;
  const isBusy = freezing.isBusy || thawing.isBusy;
  if (isFrozen && !viewer.canDecide)
    return <span className="text-sm text-ink-3">Only an owner or co-owner can thaw it.</span>;
  return (
    <>
      <span className="max-sm:[&>[role='switch']]:before:absolute max-sm:[&>[role='switch']]:before:inset-x-0 max-sm:[&>[role='switch']]:before:-inset-y-2.5 inline-flex items-center gap-3">
        <span className="text-sm text-ink-3" aria-hidden="true">
          Freeze
        </span>
        <Switch
          isOn={isFrozen}
          busy={isBusy}
          aria-label={`Freeze ${card.name}`}
          onSwitch={() => switching.run({ cardId: card.id })}
        />
      </span>
      <RefusalNote
        message={switching.message}
        onRecoveryCode={
          isFrozen && viewer.hasPasskey ? () => thawing.runWithRecoveryCode({ cardId: card.id }) : null
        }
      />
    </>
  );
}

/** Closes a card permanently, after a confirmation that explains it. */
export function CloseCard({ card }: { card: Pick<CardView, "id" | "name"> }) {
  return (
    <ConfirmButton
      button={(open) => (
        <LiveButton
          className={`${LINK_BUTTON} inline-flex items-center min-h-6 mt-1 text-sm/5`}
          onClick={open}
        >
          Close card<span className="sr-only"> {card.name}</span>
        </LiveButton>
      )}
      title={`Close ${card.name}?`}
      keepLabel="Keep it"
      actLabel="Close card"
      busyLabel="Closing"
      kind="primary"
      act={closeCard}
      input={{ cardId: card.id }}
      options={{ whenLost: CARD_UNKNOWN }}
    >
      <p>
        It can never be used or reopened. Purchases already authorized still settle, and refunds still arrive.
      </p>
    </ConfirmButton>
  );
}
