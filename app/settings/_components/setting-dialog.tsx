"use client";

import { type ReactNode, type RefObject, useRef } from "react";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { SendForm } from "@/components/act/send-form";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";

export const SETTING_UNKNOWN = outcomeUnknown("it may or may not be saved. Reload the page to check.");

interface SettingDialogProps {
  title: string;
  about?: ReactNode;
  field: {
    label: string;
    hint?: string;
    value: string;
    maxLength: number;
    inputMode?: "decimal" | "text";
    onChange: (value: string) => void;
  };
  error: string | null;
  isBusy: boolean;
  keepLabel: string;
  saveLabel: string;
  onSave: () => void;
  onClose: () => void;
}

/** Edits a one-line setting. */
export function SettingDialog(props: SettingDialogProps) {
  const { title, about, field, error, isBusy, keepLabel, saveLabel, onSave, onClose } = props;
  const input: RefObject<HTMLInputElement | null> = useRef(null);
  return (
    <Dialog title={title} initialFocus={input} onCancel={onClose}>
      <SendForm isBusy={isBusy} onSend={() => onSave()}>
        {about ? <p className="mt-2 text-ink-2">{about}</p> : null}
        <InputField
          ref={input}
          label={field.label}
          hint={field.hint}
          inputMode={field.inputMode ?? "text"}
          autoComplete="off"
          maxLength={field.maxLength}
          value={field.value}
          error={error}
          onChange={(event) => field.onChange(event.target.value)}
        />
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onClose}>
            {keepLabel}
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {saveLabel}
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}
