"use client";

import { useRef, useState } from "react";
import { AppCodeField } from "@/components/auth/app-code-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { NewAuthenticatorView } from "@/lib/contract/views/auth-view";

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
