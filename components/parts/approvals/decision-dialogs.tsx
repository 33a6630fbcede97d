"use client";

import { useRef, useState } from "react";
import { AppCodeField } from "@/components/act/credential-fields";
import { SendForm } from "@/components/act/send-form";
import { DecisionNoteBox, type DecisionNotice } from "@/components/parts/approvals/decision-notice";
import type { TypedMeans } from "@/components/parts/approvals/use-decision";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { InputField, TextareaField } from "@/components/ui/field";
import { KEY_NAME } from "@/components/ui/text-styles";
import type { Decision } from "@/lib/contract/confirmation/decision";
import { DENIAL_NOTE_LIMIT } from "@/lib/contract/limits";

interface DenyDialogProps {
  kind: "TRANSFER" | "RULE_RUN";
  /** `$52.74 from Operating to Profit` */
  what: string;
  /** Null when nothing would move or the amount is unknown. */
  amount: string | null;
  sourceName: string;
  requesterName: string;
  isBusy: boolean;
  notice: DecisionNotice | null;
  onDeny: (note: string) => void;
  onRecoveryCode: () => void;
  onClose: () => void;
}

/** Asks for an optional note for members only: the requester sees only that it was denied. */
export function DenyDialog(props: DenyDialogProps) {
  const { kind, what, amount, sourceName, requesterName, isBusy, notice, onDeny, onRecoveryCode, onClose } =
    props;
  const [note, setNote] = useState("");
  const noteField = useRef<HTMLTextAreaElement>(null);
  const noun = kind === "TRANSFER" ? "transfer" : "run";
  return (
    <Dialog title={`Deny ${what}?`} initialFocus={noteField} onCancel={onClose}>
      <p className="mt-2 text-ink-2">
        {amount === null ? "Nothing moves." : `${amount} stays in ${sourceName}.`}{" "}
        <span className={KEY_NAME}>{requesterName}</span> will see that it was denied, but not why.
      </p>
      <SendForm browserChecks isBusy={isBusy} onSend={() => onDeny(note)}>
        <TextareaField
          ref={noteField}
          label={
            <>
              Note <span className="text-sm text-ink-3">Optional</span>
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
        <DecisionNoteBox
          place="panel"
          notice={notice}
          blockedBecause={null}
          onRecoveryCode={onRecoveryCode}
        />
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="deny" type="submit" busy={isBusy}>
            {isBusy ? "Denying" : `Deny ${noun}`}
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}

interface TypedConfirmationDialogProps {
  means: TypedMeans;
  /** A password also needs the code of the authenticator app. */
  withCode: boolean;
  decision: Decision;
  kind: "TRANSFER" | "RULE_RUN";
  /** `$52.74 from Operating to Profit` */
  what: string;
  isBusy: boolean;
  error: string | null;
  onSubmit: (text: string, code: string) => void;
  onClose: () => void;
}

/** Confirms a decision with a password, or with a recovery code in place of a lost passkey. */
export function TypedConfirmationDialog({
  means,
  withCode,
  decision,
  kind,
  what,
  isBusy,
  error,
  onSubmit,
  onClose,
}: TypedConfirmationDialogProps) {
  const [text, setText] = useState("");
  const [code, setCode] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isPassword = means === "PASSWORD";
  return (
    <Dialog
      title={`${decision === "APPROVE" ? "Approve" : "Deny"} ${what}`}
      initialFocus={field}
      onCancel={onClose}
    >
      <SendForm
        browserChecks
        isBusy={isBusy}
        onSend={() => {
          if (text !== "") onSubmit(text, code);
        }}
      >
        <InputField
          ref={field}
          label={isPassword ? "Your password" : "Recovery code"}
          hint={
            isPassword
              ? "With a passkey, this takes one touch."
              : "One of your ten recovery codes. Each works once."
          }
          type={isPassword ? "password" : "text"}
          autoComplete={isPassword ? "current-password" : "off"}
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        {withCode ? <AppCodeField value={code} onChange={(event) => setCode(event.target.value)} /> : null}
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button kind={decision === "APPROVE" ? "primary" : "deny"} type="submit" busy={isBusy}>
            {confirmLabel(decision, kind, isBusy)}
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}

function confirmLabel(decision: Decision, kind: "TRANSFER" | "RULE_RUN", isBusy: boolean): string {
  const noun = kind === "TRANSFER" ? "transfer" : "run";
  if (decision === "APPROVE") return isBusy ? "Approving" : `Approve ${noun}`;
  return isBusy ? "Denying" : `Deny ${noun}`;
}
