"use client";

import { useState } from "react";
import { discardDraft } from "@/app/rules/editor-actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";

interface DiscardDraftButtonProps {
  draftId: string;
  name: string | null;
}

/** Discards a draft from the list, without opening it: one that cannot be opened counts toward the limit, too. */
export function DiscardDraftButton({ draftId, name }: DiscardDraftButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const discarding = useAction(discardDraft, {
    whenLost: outcomeUnknown("we don’t know whether it was discarded. Try again."),
    onDone: () => setIsAsking(false),
  });
  const called = name ?? "unnamed rule";
  return (
    <>
      <Button kind="quiet" size="small" aria-label={`Discard ${called}`} onClick={() => setIsAsking(true)}>
        Discard
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={`Discard the draft of ${called}?`}
          keepLabel="Cancel"
          actLabel="Discard draft"
          busyLabel="Discarding"
          kind="deny"
          action={discarding}
          onAct={() => discarding.run({ draftId, ruleId: null })}
          onClose={() => setIsAsking(false)}
        >
          <p>Your draft will be lost.</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
