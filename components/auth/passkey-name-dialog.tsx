"use client";

import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import { PASSKEY_NAME_LIMIT } from "@/lib/contract/views/auth-view";

interface PasskeyNameDialogProps {
  isNew: boolean;
  startName: string;
  isBusy: boolean;
  refusal: string | null;
  onSave: (name: string) => void;
  onClose: () => void;
}

/** Asks how a passkey is called: a new one, or one that has a name. */
export function PasskeyNameDialog({
  isNew,
  startName,
  isBusy,
  refusal,
  onSave,
  onClose,
}: PasskeyNameDialogProps) {
  const [name, setName] = useState(startName);
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog title={isNew ? "Add a passkey" : "Rename this passkey"} initialFocus={field} onCancel={onClose}>
      <form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && name.trim() !== "") onSave(name.trim());
        }}
      >
        <InputField
          ref={field}
          label="Name"
          hint="Where it lives: a device or a security key."
          value={name}
          maxLength={PASSKEY_NAME_LIMIT}
          required
          error={refusal}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="btns">
          <Button kind="quiet" onClick={onClose}>
            {isNew ? "Not yet" : "Keep the name"}
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {isNew ? "Add passkey" : "Rename"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
