"use client";

import { type ReactNode, useState } from "react";
import { SETTING_UNKNOWN, SettingDialog } from "@/app/settings/_components/setting-dialog";
import {
  removeBeneficiary,
  renameBeneficiary,
  setDefaultBeneficiary,
} from "@/app/settings/beneficiaries/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { SettingActions } from "@/components/ui/setting-list";
import type { BeneficiaryRowView } from "@/lib/views/accounts/read-beneficiaries";

interface BeneficiaryRowProps {
  beneficiary: Pick<BeneficiaryRowView, "id" | "name" | "isDefault" | "accountCount">;
  canChange: boolean;
  children: ReactNode;
}

type Open = { kind: "RENAME"; text: string } | { kind: "REMOVE" } | null;

export function BeneficiaryRow({ beneficiary, canChange, children }: BeneficiaryRowProps) {
  const { id, name, isDefault, accountCount } = beneficiary;
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const outcome = { whenLost: SETTING_UNKNOWN, onDone: close };
  const makingDefault = useAction(setDefaultBeneficiary, outcome);
  const renaming = useAction(renameBeneficiary, outcome);
  const removing = useAction(removeBeneficiary, outcome);
  const show = (next: Open) => {
    for (const action of [makingDefault, renaming, removing]) action.forget();
    setOpen(next);
  };
  return (
    <li>
      <div>
        <b>{name}</b>
        {children}
        <RefusalNote message={makingDefault.message} />
      </div>
      {canChange ? (
        <SettingActions>
          {isDefault ? null : (
            <Button
              kind="quiet"
              size="small"
              busy={makingDefault.isBusy}
              aria-label={`Make default: ${name}`}
              onClick={() => makingDefault.run({ beneficiaryId: id })}
            >
              Make default
            </Button>
          )}
          <Button
            kind="quiet"
            size="small"
            aria-label={`Rename ${name}`}
            onClick={() => show({ kind: "RENAME", text: name })}
          >
            Rename
          </Button>
          {isDefault ? null : (
            <Button
              kind="quiet"
              size="small"
              aria-label={`Remove ${name}`}
              onClick={() => show({ kind: "REMOVE" })}
            >
              Remove
            </Button>
          )}
        </SettingActions>
      ) : null}
      {open?.kind === "RENAME" ? (
        <SettingDialog
          title="Rename this beneficiary"
          about="Use the legal name. All of their accounts will show it."
          field={{
            label: "New name",
            value: open.text,
            maxLength: 200,
            onChange: (text) => setOpen({ kind: "RENAME", text }),
          }}
          error={renaming.message}
          isBusy={renaming.isBusy}
          keepLabel="Keep the name"
          saveLabel="Rename"
          onSave={() => renaming.run({ beneficiaryId: id, name: open.text })}
          onClose={close}
        />
      ) : null}
      {open?.kind === "REMOVE" ? (
        <Dialog title={`Remove ${name}?`} onCancel={close}>
          <p className="mt-2 text-ink-2">
            {accountCount === 0
              ? "New accounts can no longer be theirs. Closed accounts keep their name."
              : "They own open accounts. Close those first."}
          </p>
          <RefusalNote message={removing.message} />
          <div className={DIALOG_BUTTONS}>
            <Button kind="quiet" onClick={close}>
              Keep
            </Button>
            {accountCount === 0 ? (
              <Button kind="deny" busy={removing.isBusy} onClick={() => removing.run({ beneficiaryId: id })}>
                Remove beneficiary
              </Button>
            ) : null}
          </div>
        </Dialog>
      ) : null}
    </li>
  );
}
