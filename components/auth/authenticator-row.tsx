"use client";

import { useState } from "react";
import { AppDialog } from "@/components/auth/app-dialog";
import { CodesDialog } from "@/components/auth/codes-dialog";
import { useProvenChange } from "@/components/auth/use-proven-change";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { NewAuthenticatorView, SecurityActions } from "@/lib/contract/views/auth-view";

interface AuthenticatorRowProps {
  isOn: boolean;
  /** What is said under its name. */
  about: string;
  actions: Pick<
    SecurityActions,
    | "beginAuthenticator"
    | "confirmAuthenticator"
    | "removeAuthenticator"
    | "beginPresence"
    | "confirmPresence"
  >;
}

/** The authenticator app: on with a first code of it, off after a question. */
export function AuthenticatorRow({ isOn, about, actions }: AuthenticatorRowProps) {
  const [adding, setAdding] = useState<NewAuthenticatorView | null>(null);
  const [isRemoving, setIsRemoving] = useState(false);
  const change = useProvenChange(actions);

  const begin = () =>
    change.run(
      async () => {
        const begun = await actions.beginAuthenticator();
        if (begun.kind === "REFUSED") return begun;
        setAdding(begun.authenticator);
        return { kind: "DONE" };
      },
      () => undefined,
    );
  const close = () => {
    change.clearRefusal();
    setAdding(null);
    setIsRemoving(false);
  };

  return (
    <li>
      <div>
        <b>Authenticator app</b>
        <p className="meta">{about}</p>
        {change.refusal && !adding && !isRemoving ? (
          <div role="status">
            <Note tone="red">{change.refusal}</Note>
          </div>
        ) : null}
      </div>
      <div className="acts-r">
        <button
          className="sw"
          type="button"
          role="switch"
          aria-checked={isOn}
          aria-label="Authenticator app"
          aria-disabled={change.isBusy || undefined}
          onClick={() => {
            if (change.isBusy) return;
            if (isOn) setIsRemoving(true);
            else begin();
          }}
        />
      </div>
      {adding ? (
        <AppDialog
          authenticator={adding}
          isBusy={change.isBusy}
          refusal={change.refusal}
          onCode={(code) => change.run(() => actions.confirmAuthenticator({ code }), close)}
          onClose={close}
        />
      ) : null}
      {isRemoving ? (
        <Dialog title="Remove your authenticator app?" onCancel={close}>
          <p className="ink2 dialog-l">Your password alone signs you in then. You are told by email.</p>
          <div role="status">{change.refusal ? <Note tone="red">{change.refusal}</Note> : null}</div>
          <div className="btns">
            <Button kind="quiet" onClick={close}>
              Keep it
            </Button>
            <Button
              kind="deny"
              busy={change.isBusy}
              onClick={() => change.run(actions.removeAuthenticator, close)}
            >
              Remove app
            </Button>
          </div>
        </Dialog>
      ) : null}
      {change.dialog}
      {change.codes ? <CodesDialog codes={change.codes} onClose={change.forgetCodes} /> : null}
    </li>
  );
}
