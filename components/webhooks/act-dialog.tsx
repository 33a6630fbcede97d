"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ActRefusal } from "@/components/webhooks/act-refusal";

interface ActDialogProps {
  title: string;
  /** What follows from it. */
  children: ReactNode;
  /** The way out, which says what stays. */
  keepLabel: string;
  actLabel: string;
  busyLabel: string;
  kind: "primary" | "deny";
  act: { refusal: string | null; isBusy: boolean; act: () => void };
  onClose: () => void;
}

/** Asks before an act, and says what follows from it. */
export function ActDialog(props: ActDialogProps) {
  const { title, children, keepLabel, actLabel, busyLabel, kind, act, onClose } = props;
  return (
    <Dialog title={title} onCancel={onClose}>
      <div className="ink2 dialog-l wh-say">{children}</div>
      <ActRefusal message={act.refusal} />
      <div className="btns">
        <Button kind="quiet" onClick={onClose}>
          {keepLabel}
        </Button>
        <Button kind={kind} busy={act.isBusy} onClick={act.act}>
          {act.isBusy ? busyLabel : actLabel}
        </Button>
      </div>
    </Dialog>
  );
}
