"use client";

import { useRef, useState } from "react";
import { DecisionNoteBox } from "@/components/approvals/decision-note-box";
import type { DecisionNotice } from "@/components/approvals/decision-notice";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextareaField } from "@/components/ui/field";
import { DENIAL_NOTE_LIMIT } from "@/lib/contract/views/decision";

interface DenyDialogProps {
  kind: "TRANSFER" | "RULE_RUN";
  /** Null: nothing would move, or that is not known. */
  amount: string | null;
  sourceName: string;
  askerName: string;
  isBusy: boolean;
  notice: DecisionNotice | null;
  onDeny: (note: string) => void;
  onRecoveryCode: () => void;
  onClose: () => void;
}

/** Asks for an optional note, which stays among members: the caller only sees that it was denied. */
export function DenyDialog(props: DenyDialogProps) {
  const { kind, amount, sourceName, askerName, isBusy, notice, onDeny, onRecoveryCode, onClose } = props;
  const [note, setNote] = useState("");
  const noteField = useRef<HTMLTextAreaElement>(null);
  const noun = kind === "TRANSFER" ? "transfer" : "run";
  return (
    <Dialog title={`Deny this ${noun}?`} initialFocus={noteField} onCancel={onClose}>
      <p className="ink2 dialog-l">
        {amount === null ? "Nothing moves." : `${amount} stays in ${sourceName}.`}{" "}
        <span className="key">{askerName}</span> sees that it was denied, not why.
      </p>
      <form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onDeny(note);
        }}
      >
        <TextareaField
          ref={noteField}
          label={
            <>
              Note <span className="hint">Optional</span>
            </>
          }
          hint={`Up to ${DENIAL_NOTE_LIMIT} characters, for members only`}
          rows={3}
          maxLength={DENIAL_NOTE_LIMIT}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && !isBusy) onDeny(note);
          }}
        />
        <DecisionNoteBox notice={notice} blockedBecause={null} onRecoveryCode={onRecoveryCode} />
        <div className="btns">
          <Button kind="quiet" onClick={onClose}>
            Keep waiting
          </Button>
          <Button kind="deny" type="submit" busy={isBusy}>
            {isBusy ? "Denying" : `Deny ${noun}`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
