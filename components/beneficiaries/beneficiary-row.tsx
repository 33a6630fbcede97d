"use client";

import { type ReactNode, useState } from "react";

import { SettingDialog, useSettingChange } from "@/components/settings/setting-dialog";

import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { BeneficiaryActions, BeneficiaryRowView } from "@/lib/contract/views/accounts-view";

interface BeneficiaryRowProps {
  beneficiary: Pick<BeneficiaryRowView, "id" | "name" | "isDefault" | "accountCount">;
  canChange: boolean;
  actions: BeneficiaryActions;
  children: ReactNode;
}

type Open = { kind: "RENAME"; text: string } | { kind: "REMOVE" } | null;

export function BeneficiaryRow({ beneficiary, canChange, actions, children }: BeneficiaryRowProps) {
  const { id, name, isDefault, accountCount } = beneficiary;
  const [open, setOpen] = useState<Open>(null);
  const change = useSettingChange();
  const close = () => {
    change.clearRefusal();
    setOpen(null);
  };
  return (
    <li>
      <div>
        <b>{name}</b>
        {children}
        <div role="status">
          {change.refusal && open === null ? <Note tone="red">{change.refusal}</Note> : null}
        </div>
      </div>
      {canChange ? (
        <div className="acts-r">
          {isDefault ? null : (
            <Button
              kind="quiet"
              size="small"
              busy={change.isBusy && open === null}
              aria-label={`Make ${name} the default`}
              onClick={() => change.run(() => actions.setDefaultBeneficiary({ beneficiaryId: id }), close)}
            >
              Make default
            </Button>
          )}
          <Button
            kind="quiet"
            size="small"
            aria-label={`Rename ${name}`}
            onClick={() => setOpen({ kind: "RENAME", text: name })}
          >
            Rename
          </Button>
          {isDefault ? null : (
            <Button
              kind="quiet"
              size="small"
              aria-label={`Remove ${name}`}
              onClick={() => setOpen({ kind: "REMOVE" })}
            >
              Remove
            </Button>
          )}
        </div>
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
          error={change.refusal}
          isBusy={change.isBusy}
          keepLabel="Keep the name"
          saveLabel="Rename"
          onSave={() =>
            change.run(() => actions.renameBeneficiary({ beneficiaryId: id, name: open.text }), close)
          }
          onClose={close}
        />
      ) : null}
      {open?.kind === "REMOVE" ? (
        <Dialog title={`Remove ${name}?`} onCancel={close}>
          <p className="ink2 dialog-l">
            {accountCount === 0
              ? "New accounts can no longer be theirs. Closed accounts keep their name."
              : "They own open accounts. Close those first."}
          </p>
          <div role="status">{change.refusal ? <Note tone="red">{change.refusal}</Note> : null}</div>
          <div className="btns">
            <Button kind="quiet" onClick={close}>
              Keep
            </Button>
            {accountCount === 0 ? (
              <Button
                kind="deny"
                busy={change.isBusy}
                onClick={() => change.run(() => actions.removeBeneficiary({ beneficiaryId: id }), close)}
              >
                Remove beneficiary
              </Button>
            ) : null}
          </div>
        </Dialog>
      ) : null}
    </li>
  );
}
