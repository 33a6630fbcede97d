"use client";

import { useRef, useState } from "react";
import { AppCodeField } from "@/components/act/credential-fields";
import type { StepUpRequest, TypedRequest } from "@/components/act/prove";
import { SendForm } from "@/components/act/send-form";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";

interface TypedProofProps extends TypedRequest, Pick<StepUpRequest, "title" | "why" | "confirmLabel"> {
  onDone: () => void;
  onCancel: () => void;
}

/** A password or a recovery code. A wrong one is corrected here. */
export function TypedProof(props: TypedProofProps) {
  const { means, withCode, title, confirmLabel, why, confirm, onDone, onCancel } = props;
  const [text, setText] = useState("");
  const [code, setCode] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isPassword = means === "PASSWORD";

  async function submit(): Promise<void> {
    setIsBusy(true);
    setError(null);
    const proof = await confirm(text, code);
    setIsBusy(false);
    if (proof.kind === "DONE") onDone();
    else setError(proof.message);
  }

  return (
    <Dialog title={title} initialFocus={field} onCancel={onCancel}>
      {why ? <p className="mt-2 text-ink-2">{why}</p> : null}
      <SendForm
        browserChecks
        isBusy={isBusy}
        onSend={() => {
          if (text !== "") void submit();
        }}
      >
        <InputField
          ref={field}
          label={isPassword ? "Your password" : "Recovery code"}
          hint={
            isPassword ? "With a passkey, this takes one touch." : "One of your ten codes. Each works once."
          }
          type={isPassword ? "password" : "text"}
          autoComplete={isPassword ? "current-password" : "off"}
          maxLength={isPassword ? 200 : 64}
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        {withCode ? <AppCodeField value={code} onChange={(event) => setCode(event.target.value)} /> : null}
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {confirmLabel}
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}
