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

interface AppDialogProps {
  authenticator: NewAuthenticatorView;
  isBusy: boolean;
  refusal: string | null;
  onCode: (code: string) => void;
  onClose: () => void;
}

/** The secret as a picture and as text, and a first code of it. Nothing of it is in any address. */
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
          Read this picture with the app, or type the key into it. Then enter the code that it shows.
        </p>
        <div className="qr">
          <svg viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label="QR code for the app">
            <rect className="qr-p" width={qr.size} height={qr.size} />
            <path className="qr-i" d={qr.path} />
          </svg>
          <p>
            <span className="meta blk">Key, for typing</span>
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
