"use client";

import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { removePasskey, renamePasskey } from "@/app/settings/security/actions";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { enrollPasskey } from "@/components/act/passkey-prompt";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { NewCodes, refreshUnlessCodes } from "@/components/parts/sign-in/recovery-codes";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { InputField } from "@/components/ui/field";
import { SettingActions, SettingList } from "@/components/ui/setting-list";
import { removePasskeyAct } from "@/lib/contract/confirmation/step-up";
import { PASSKEY_NAME_LIMIT } from "@/lib/contract/limits";

interface PasskeyRow {
  id: string;
  name: string;
  /** `Added 2 Mar 2026. Used today, 11:27.` */
  about: string;
}

interface PasskeysProps {
  passkeys: PasskeyRow[];
}

export const ADD_PASSKEY = { act: "ADD_PASSKEY", title: "Add a passkey", confirmLabel: "Continue" } as const;

type Open =
  | { kind: "ADD" }
  | { kind: "RENAME"; passkey: PasskeyRow }
  | { kind: "REMOVE"; passkey: PasskeyRow }
  | null;

export function Passkeys({ passkeys }: PasskeysProps) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const adding = useAction(enrollPasskey, {
    proof: () => ADD_PASSKEY,
    onDone: close,
    afterwards: refreshUnlessCodes,
  });
  const renaming = useAction(renamePasskey, { onDone: close });
  const removing = useAction(removePasskey, {
    proof: ({ passkeyId }) => ({
      act: removePasskeyAct(passkeyId),
      title: "Remove this passkey",
      confirmLabel: "Remove passkey",
    }),
    onDone: close,
  });
  const naming = open?.kind === "ADD" ? adding : renaming;
  const show = (next: Open) => {
    for (const action of [adding, renaming, removing]) action.forget();
    setOpen(next);
  };

  return (
    <>
      <h3 className="mx-0 mt-6 mb-0 pb-2 border-b border-rule-strong text-[13px] text-ink-3">Passkeys</h3>
      <SettingList>
        {passkeys.map((passkey) => (
          <li key={passkey.id}>
            <div>
              <b>{passkey.name}</b>
              <p className="text-sm text-ink-3">{passkey.about}</p>
            </div>
            <SettingActions>
              <RowButton label="Rename" of={passkey} onClick={() => show({ kind: "RENAME", passkey })} />
              <RowButton label="Remove" of={passkey} onClick={() => show({ kind: "REMOVE", passkey })} />
            </SettingActions>
          </li>
        ))}
      </SettingList>
      <p className="mt-1 mr-0 mb-0 -ml-2.5">
        <Button kind="quiet" size="small" onClick={() => show({ kind: "ADD" })}>
          <Plus />
          Add a passkey
        </Button>
      </p>
      {open?.kind === "ADD" || open?.kind === "RENAME" ? (
        <PasskeyNameDialog
          isNew={open.kind === "ADD"}
          startName={open.kind === "RENAME" ? open.passkey.name : ""}
          isBusy={naming.isBusy}
          refusal={naming.message}
          onSave={(name) =>
            open.kind === "ADD" ? adding.run(name) : renaming.run({ passkeyId: open.passkey.id, name })
          }
          onClose={close}
        />
      ) : null}
      {open?.kind === "REMOVE" ? (
        <ConfirmDialog
          title={`Remove ${open.passkey.name}?`}
          keepLabel="Keep it"
          actLabel="Remove passkey"
          kind="deny"
          action={removing}
          onAct={() => removing.run({ passkeyId: open.passkey.id })}
          onRecoveryCode={
            removing.refusal ? () => removing.runWithRecoveryCode({ passkeyId: open.passkey.id }) : null
          }
          onClose={close}
        >
          <p>
            It can no longer sign you in or approve.{" "}
            {passkeys.length === 1 ? "It is your last one; your password takes over." : null}
          </p>
        </ConfirmDialog>
      ) : null}
      <NewCodes of={adding} />
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
      <SendForm
        browserChecks
        isBusy={isBusy}
        onSend={() => {
          if (name.trim() !== "") onSave(name.trim());
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
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onClose}>
            {isNew ? "Not yet" : "Keep the name"}
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {isNew ? "Add passkey" : "Rename"}
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}
