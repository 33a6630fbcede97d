"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { CodesDialog } from "@/components/auth/codes-dialog";
import { enrolPasskey } from "@/components/auth/enrol-passkey";
import { PasskeyNameDialog } from "@/components/auth/passkey-name-dialog";
import { useSecurityChange } from "@/components/auth/use-security-change";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { SecurityActions } from "@/lib/contract/views/auth-view";

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

/** The list of passkeys: add, rename, remove. */
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
            {passkeys.length === 1 ? "It is your last one: your password takes its place." : null}
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
