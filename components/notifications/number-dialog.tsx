"use client";

import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import type { PhoneView } from "@/lib/contract/views/notifications-view";

interface NumberDialogProps {
  phone: PhoneView;
  isBusy: boolean;
  refusal: string | null;
  onSave: (number: string) => void;
  onClose: () => void;
}

/** Takes a number, in the place of the one before. */
export function NumberDialog({ phone, isBusy, refusal, onSave, onClose }: NumberDialogProps) {
  const [number, setNumber] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isNew = phone.kind === "NONE";
  return (
    <Dialog title={isNew ? "Add a number" : "Change your number"} initialFocus={field} onCancel={onClose}>
      <form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && number.trim() !== "") onSave(number);
        }}
      >
        <p className="ink2 dialog-l">
          A code goes there by SMS. Until you have entered it, nothing else does.
          {phone.kind === "VERIFIED" ? ` Messages stop going to ${phone.masked} at once.` : null}
        </p>
        <InputField
          ref={field}
          label="Phone number"
          hint="With the code of its country: +1 212 555 0131."
          type="tel"
          autoComplete="tel"
          maxLength={40}
          required
          value={number}
          error={refusal}
          onChange={(event) => setNumber(event.target.value)}
        />
        <div className="btns">
          <Button kind="quiet" onClick={onClose}>
            {isNew ? "Not yet" : "Keep the number"}
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {isBusy ? "Sending" : "Send code"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
