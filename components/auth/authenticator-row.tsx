"use client";

import { useRef, useState } from "react";
import { CHANGE_UNKNOWN } from "@/components/actions/answer-lost";
import { ConfirmDialog } from "@/components/actions/confirm-dialog";
import { RefusalNote } from "@/components/actions/refusal-note";
import { useAction } from "@/components/actions/use-action";
import { AppCodeField } from "@/components/auth/credential-fields";
import { NewCodes } from "@/components/auth/recovery-codes";
import { useAddAuthenticator } from "@/components/auth/use-add-authenticator";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Switch } from "@/components/ui/switch";
import type { NewAuthenticatorView, SecurityActions } from "@/lib/contract/views/auth-view";

interface AuthenticatorRowProps {
  isOn: boolean;
  about: string;
  actions: Pick<SecurityActions, "beginAuthenticator" | "confirmAuthenticator" | "removeAuthenticator">;
}

/** Turned on with a first code, off after a confirmation. */
export function AuthenticatorRow({ isOn, about, actions }: AuthenticatorRowProps) {
  const [isRemoving, setIsRemoving] = useState(false);
  const adding = useAddAuthenticator(actions);
  const close = () => setIsRemoving(false);
  const removing = useAction({
    act: actions.removeAuthenticator,
    whenLost: CHANGE_UNKNOWN,
    proof: () => ({ confirmLabel: "Confirm" }),
    onDone: close,
  });
  const isBusy = adding.beginning.isBusy || removing.isBusy;
  const press = () => {
    removing.forget();
    if (isOn) setIsRemoving(true);
    else adding.beginning.run();
  };

  return (
    <li>
      <div>
        <b>Authenticator app</b>
        <p className="meta">{about}</p>
        <RefusalNote message={adding.beginning.message} />
      </div>
      <div className="acts-r">
        <Switch isOn={isOn} busy={isBusy} aria-label="Authenticator app" onSwitch={press} />
      </div>
      <NewAuthenticator adding={adding} />
      {isRemoving ? (
        <ConfirmDialog
          title="Remove your authenticator app?"
          keepLabel="Keep it"
          actLabel="Remove app"
          kind="deny"
          action={removing}
          onAct={() => removing.run()}
          onClose={close}
        >
          <p>Your password alone will sign you in. We confirm the change by email.</p>
        </ConfirmDialog>
      ) : null}
    </li>
  );
}

/** The dialog of an app being added, and the recovery codes made with it. */
export function NewAuthenticator({ adding }: { adding: ReturnType<typeof useAddAuthenticator> }) {
  const { authenticator, confirming, close } = adding;
  return (
    <>
      {authenticator ? (
        <AppDialog
          authenticator={authenticator}
          isBusy={confirming.isBusy}
          refusal={confirming.message}
          onCode={(code) => confirming.run({ code })}
          onClose={close}
        />
      ) : null}
      <NewCodes of={confirming} />
    </>
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
function AppDialog({ authenticator: { secret, qr }, isBusy, refusal, onCode, onClose }: AppDialogProps) {
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
