"use client";

import { type ReactNode, useRef } from "react";
import { RefusalNote } from "@/components/act/refusal-note";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { Dialog } from "@/components/ui/dialog";

interface ConfirmDialogProps {
  title: string;
  /** The consequences. */
  children: ReactNode;
  /** The cancel button. */
  keepLabel: string;
  actLabel: ReactNode;
  busyLabel?: ReactNode;
  /** `deny` only to refuse or destroy. */
  kind: "primary" | "deny";
  action: { message: string | null; isBusy: boolean };
  onAct: () => void;
  /** For an unavailable passkey; null where none is asked for. */
  onRecoveryCode?: (() => void) | null;
  onClose: () => void;
}

/** Confirms an action and states its consequences. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, keepLabel, actLabel, busyLabel = actLabel, kind, action, onAct, onClose } = props;
  const keep = useRef<HTMLButtonElement>(null);
  return (
    // Not the first link in the text: Enter must neither act nor leave.
    <Dialog title={title} initialFocus={keep} onCancel={onClose}>
      <div className="mt-2 grid gap-2.5 text-ink-2">{children}</div>
      <RefusalNote message={action.message} onRecoveryCode={props.onRecoveryCode} />
      <div className={DIALOG_BUTTONS}>
        <Button kind="quiet" ref={keep} onClick={onClose}>
          {keepLabel}
        </Button>
        <Button kind={kind} busy={action.isBusy} onClick={onAct}>
          {action.isBusy ? busyLabel : actLabel}
        </Button>
      </div>
    </Dialog>
  );
}
