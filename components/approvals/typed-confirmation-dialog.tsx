"use client";

import { useRef, useState } from "react";
import type { TypedMeans } from "@/components/approvals/use-decision";
import { AppCodeField } from "@/components/auth/credential-fields";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import type { Decision } from "@/lib/contract/views/decision";

interface TypedConfirmationDialogProps {
  means: TypedMeans;
  /** The password asks for the code of an authenticator app too. */
  withCode: boolean;
  decision: Decision;
  isBusy: boolean;
  error: string | null;
  onSubmit: (text: string, code: string) => void;
  onClose: () => void;
}

/** Confirms a decision with a password, or with a recovery code in the place of a lost passkey. */
export function TypedConfirmationDialog({
  means,
  withCode,
  decision,
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
      title={decision === "APPROVE" ? "Confirm that you approve" : "Confirm that you deny"}
      initialFocus={field}
      onCancel={onClose}
    >
      <form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && text !== "") onSubmit(text, code);
        }}
      >
        <InputField
          ref={field}
          label={isPassword ? "Your password" : "Recovery code"}
          hint={
            isPassword
              ? "A passkey would make this one touch."
              : "One of the ten that you stored. Each works once."
          }
          type={isPassword ? "password" : "text"}
          autoComplete={isPassword ? "current-password" : "off"}
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        {withCode ? <AppCodeField value={code} onChange={(event) => setCode(event.target.value)} /> : null}
        <div className="btns">
          <Button kind="quiet" onClick={onClose}>
            Keep waiting
          </Button>
          <Button kind={decision === "APPROVE" ? "primary" : "deny"} type="submit" busy={isBusy}>
            {confirmLabel(decision, isBusy)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function confirmLabel(decision: Decision, isBusy: boolean): string {
  if (decision === "APPROVE") return isBusy ? "Approving" : "Approve transfer";
  return isBusy ? "Denying" : "Deny transfer";
}
