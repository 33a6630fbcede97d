"use client";

import { useState } from "react";
import type { RuleEditorActions } from "@/app/rules/_components/editor/rule-editor-actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";

interface DiscardDraftButtonProps {
  draftId: string;
  name: string | null;
  discardDraft: RuleEditorActions["discardDraft"];
}

/** Discards a draft from the list, without opening it: one that cannot be opened counts toward the limit, too. */
export function DiscardDraftButton({ draftId, name, discardDraft }: DiscardDraftButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const discarding = useAction({
    act: () => discardDraft({ draftId, ruleId: null }),
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
          onAct={() => discarding.run()}
          onClose={() => setIsAsking(false)}
        >
          <p>Your draft will be lost.</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
