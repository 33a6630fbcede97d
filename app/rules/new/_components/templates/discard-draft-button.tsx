"use client";

import { discardDraft } from "@/app/rules/editor-actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { ConfirmButton } from "@/components/act/confirm-button";
import { Button } from "@/components/ui/button";

interface DiscardDraftButtonProps {
  draftId: string;
  name: string | null;
}

/** Discards a draft from the list, without opening it: one that cannot be opened counts toward the limit, too. */
export function DiscardDraftButton({ draftId, name }: DiscardDraftButtonProps) {
  const called = name ?? "unnamed rule";
  return (
    <ConfirmButton
      button={(open) => (
        <Button kind="quiet" size="small" aria-label={`Discard ${called}`} onClick={open}>
          Discard
        </Button>
      )}
      title={`Discard the draft of ${called}?`}
      keepLabel="Cancel"
      actLabel="Discard draft"
      busyLabel="Discarding"
      kind="deny"
      act={discardDraft}
      input={{ draftId, ruleId: null }}
      options={{ whenLost: outcomeUnknown("we don’t know whether it was discarded. Try again.") }}
    >
      <p>Your draft will be lost.</p>
    </ConfirmButton>
  );
}
