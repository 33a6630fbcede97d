"use client";

import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { enrolPasskey } from "@/components/auth/passkey-prompt";
import { CodesDialog } from "@/components/auth/recovery-codes";
import { useSecurityChange } from "@/components/auth/use-security-change";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { PASSKEY_NAME_LIMIT, type SecurityActions } from "@/lib/contract/views/auth-view";

interface PasskeyRow {
  id: string;
  name: string;
  /** `Added 2 Mar 2026. Used today, 11:27.` */
  about: string;
}

interface PasskeysProps {
  passkeys: PasskeyRow[];
  actions: SecurityActions;
}

type Open =
  | { kind: "ADD" }
  | { kind: "RENAME"; passkey: PasskeyRow }
  | { kind: "REMOVE"; passkey: PasskeyRow }
  | null;

export function Passkeys({ passkeys, actions }: PasskeysProps) {
  const [open, setOpen] = useState<Open>(null);
  const change = useSecurityChange();

  const close = () => {
    change.clearRefusal();
    setOpen(null);
  };
  const saveName = (name: string) => {
    if (open?.kind === "ADD") change.run(() => enrolPasskey(name, actions), close);
    if (open?.kind === "RENAME")
      change.run(() => actions.renamePasskey({ passkeyId: open.passkey.id, name }), close);
  };

  return (
    <>
      <h3 className="pg">Passkeys</h3>
      <ul className="setl">
        {passkeys.map((passkey) => (
          <li key={passkey.id}>
            <div>
              <b>{passkey.name}</b>
              <p className="meta">{passkey.about}</p>
            </div>
            <div className="acts-r">
              <RowButton label="Rename" of={passkey} onClick={() => setOpen({ kind: "RENAME", passkey })} />
              <RowButton label="Remove" of={passkey} onClick={() => setOpen({ kind: "REMOVE", passkey })} />
            </div>
          </li>
        ))}
      </ul>
      <p className="set-a">
        <Button kind="quiet" size="small" onClick={() => setOpen({ kind: "ADD" })}>
          <Plus className="ic" />
          Add a passkey
        </Button>
      </p>
      {open?.kind === "ADD" || open?.kind === "RENAME" ? (
        <PasskeyNameDialog
          isNew={open.kind === "ADD"}
          startName={open.kind === "RENAME" ? open.passkey.name : ""}
          isBusy={change.isBusy}
          refusal={change.refusal}
          onSave={saveName}
          onClose={close}
        />
      ) : null}
      {open?.kind === "REMOVE" ? (
        <Dialog title={`Remove ${open.passkey.name}?`} onCancel={close}>
          <p className="ink2 dialog-l">
            It can no longer sign you in or approve.{" "}
            {passkeys.length === 1 ? "It is your last one; your password takes over." : null}
          </p>
          <div role="status">{change.refusal ? <Note tone="red">{change.refusal}</Note> : null}</div>
          <div className="btns">
            <Button kind="quiet" onClick={close}>
              Keep it
            </Button>
            <Button
              kind="deny"
              busy={change.isBusy}
              onClick={() => change.run(() => actions.removePasskey({ passkeyId: open.passkey.id }), close)}
            >
              Remove passkey
            </Button>
          </div>
        </Dialog>
      ) : null}
      {change.codes ? <CodesDialog codes={change.codes} onClose={change.forgetCodes} /> : null}
    </>
  );
}

function RowButton({ label, of, onClick }: { label: string; of: PasskeyRow; onClick: () => void }) {
  return (
    <Button kind="quiet" size="small" onClick={onClick} aria-label={`${label} ${of.name}`}>
      {label}
    </Button>
  );
}

interface PasskeyNameDialogProps {
  isNew: boolean;
  startName: string;
  isBusy: boolean;
  refusal: string | null;
  onSave: (name: string) => void;
  onClose: () => void;
}

/** Names a new passkey, or renames one. */
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
          hint="Where it is: a device or a security key."
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
