"use client";

import type { ReactNode } from "react";
import { RefusalNote } from "@/components/actions/refusal-note";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

interface ActDialogProps {
  title: string;
  children: ReactNode;
  /** The cancel button. */
  keepLabel: string;
  actLabel: string;
  busyLabel: string;
  kind: "primary" | "deny";
  action: { message: string | null; isBusy: boolean };
  onAct: () => void;
  onClose: () => void;
}

/** Confirms a change and states its consequences. */
export function ActDialog(props: ActDialogProps) {
  const { title, children, keepLabel, actLabel, busyLabel, kind, action, onAct, onClose } = props;
  return (
    <Dialog title={title} onCancel={onClose}>
      <div className="ink2 dialog-l wh-say">{children}</div>
      <RefusalNote message={action.message} />
      <div className="btns">
        <Button kind="quiet" onClick={onClose}>
          {keepLabel}
        </Button>
        <Button kind={kind} busy={action.isBusy} onClick={onAct}>
          {action.isBusy ? busyLabel : actLabel}
        </Button>
      </div>
    </Dialog>
  );
}
