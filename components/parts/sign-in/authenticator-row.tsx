"use client";

import { useRef, useState } from "react";
import { removeAuthenticator } from "@/app/settings/security/actions";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { AppCodeField } from "@/components/act/credential-fields";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { NewCodes } from "@/components/parts/sign-in/recovery-codes";
import { useAddAuthenticator } from "@/components/parts/sign-in/use-add-authenticator";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";
import { SettingActions, SWITCH_ROW } from "@/components/ui/setting-list";
import { Switch } from "@/components/ui/switch";
import { SUBLINE } from "@/components/ui/text-styles";
import type { NewAuthenticatorView } from "@/lib/contract/confirmation/passkeys";

interface AuthenticatorRowProps {
  isOn: boolean;
  about: string;
}

/** Turned on with a first code, off after a confirmation. */
export function AuthenticatorRow({ isOn, about }: AuthenticatorRowProps) {
  const [isRemoving, setIsRemoving] = useState(false);
  const adding = useAddAuthenticator();
  const close = () => setIsRemoving(false);
  const removing = useAction(removeAuthenticator, {
    proof: () => ({
      act: "REMOVE_AUTHENTICATOR",
      title: "Remove your authenticator app",
      confirmLabel: "Remove app",
    }),
    onDone: close,
  });
  const isBusy = adding.beginning.isBusy || removing.isBusy;
  const press = () => {
    removing.forget();
    if (isOn) setIsRemoving(true);
    else adding.beginning.run();
  };

  return (
    <li className={SWITCH_ROW}>
      <div>
        <b>Authenticator app</b>
        <p className="text-sm text-ink-3">{about}</p>
        <RefusalNote message={adding.beginning.message} />
      </div>
      <SettingActions>
        <Switch isOn={isOn} busy={isBusy} aria-label="Authenticator app" onSwitch={press} />
      </SettingActions>
      <NewAuthenticator adding={adding} />
      {isRemoving ? (
        <ConfirmDialog
          title="Remove your authenticator app?"
          keepLabel="Keep it"
          actLabel="Remove app"
          kind="deny"
          action={removing}
          onAct={() => removing.run()}
          onRecoveryCode={removing.refusal ? () => removing.runWithRecoveryCode() : null}
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
      <SendForm isBusy={isBusy} onSend={() => onCode(code)}>
        <p className="mt-2 text-ink-2">
          Scan the QR code with the app, or type in the key. Then enter the code that the app shows.
        </p>
        <div className="flex flex-wrap items-center gap-y-4 gap-x-6 mx-0 mt-4 mb-5 [&_svg]:flex-none [&_svg]:size-44 [&_svg]:rounded-sm [&>p]:flex-[1_1_160px] [&>p]:min-w-0">
          <svg viewBox={`0 0 ${qr.size} ${qr.size}`} role="img" aria-label="QR code for the app">
            <rect className="fill-[white]" width={qr.size} height={qr.size} />
            <path className="fill-[black]" d={qr.path} />
          </svg>
          <p>
            <span className={`${SUBLINE} mt-3.5`}>Setup key</span>
            <code className="wrap-anywhere">{secret.match(/.{1,4}/g)?.join(" ")}</code>
          </p>
        </div>
        <AppCodeField
          ref={field}
          value={code}
          error={refusal}
          onChange={(event) => setCode(event.target.value)}
        />
        <div className={DIALOG_BUTTONS}>
          <Button kind="quiet" onClick={onClose}>
            Not yet
          </Button>
          <Button kind="primary" type="submit" busy={isBusy}>
            {isBusy ? "Adding" : "Add app"}
          </Button>
        </div>
      </SendForm>
    </Dialog>
  );
}
