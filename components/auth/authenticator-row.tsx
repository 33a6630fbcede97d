"use client";

import { useRef, useState } from "react";
import { AppCodeField } from "@/components/auth/credential-fields";
import { CodesDialog } from "@/components/auth/recovery-codes";
import { useProvenChange } from "@/components/auth/use-security-change";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { NewAuthenticatorView, SecurityActions } from "@/lib/contract/views/auth-view";

interface AuthenticatorRowProps {
  isOn: boolean;
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

/** Turned on with a first code, off after a confirmation. */
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
          <p className="ink2 dialog-l">
            Your password alone will sign you in. We confirm the change by email.
          </p>
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

interface AppDialogProps {
  authenticator: NewAuthenticatorView;
  isBusy: boolean;
  refusal: string | null;
  onCode: (code: string) => void;
  onClose: () => void;
}

/** The secret as QR code and text, then a first code. It never enters a URL. */
export function AppDialog({
  authenticator: { secret, qr },
  isBusy,
  refusal,
  onCode,
  onClose,
}: AppDialogProps) {
  const [code, setCode] = useState("");
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog title="Add an authenticator app" initialFocus={field} onCancel={onClose}>
      <form
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) onCode(code);
        }}
      >
        <p className="ink2 dialog-l">
          Scan the QR code with the app, or type in the key. Then enter the code that the app shows.
        </p>
        <div className="qr">
          <svg viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label="QR code for the app">
            <rect className="qr-p" width={qr.size} height={qr.size} />
            <path className="qr-i" d={qr.path} />
          </svg>
          <p>
            <span className="meta blk">Setup key</span>
            <code className="mono qr-k">{secret.match(/.{1,4}/g)?.join(" ")}</code>
          </p>
        </div>
        <AppCodeField
          ref={field}
          value={code}
          error={refusal}
          onChange={(event) => setCode(event.target.value)}
        />
        <div className="btns">
          <Button kind="quiet" onClick={onClose}>
            Not yet
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {isBusy ? "Adding" : "Add app"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
