"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, type RefObject, useRef, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import type { Refused } from "@/lib/contract/refused";

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
      <form
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onSave();
        }}
      >
        {about ? <p className="ink2 dialog-l">{about}</p> : null}
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
        <div className="btns">
          <Button kind="quiet" onClick={onClose}>
            {keepLabel}
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {saveLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type Answer = { kind: "DONE" } | Refused;

const UNKNOWN = "Sluice did not answer, so it may or may not be saved. Reload the page to check.";

export function useSettingChange() {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startChange] = useTransition();
  const run = (change: () => Promise<Answer>, onDone: () => void) =>
    startChange(async () => {
      setRefusal(null);
      const answer = await change().catch((): Answer => ({ kind: "REFUSED", message: UNKNOWN }));
      if (answer.kind === "REFUSED") return setRefusal(answer.message);
      onDone();
      router.refresh();
    });
  return { refusal, clearRefusal: () => setRefusal(null), isBusy, run };
}
