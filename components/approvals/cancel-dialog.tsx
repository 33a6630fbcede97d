"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { CancelAction, CancelResult } from "@/lib/contract/views/decision";

interface CancelDialogProps {
  transferId: string;
  amount: string;
  sourceName: string;
  cancel: CancelAction;
  onClose: () => void;
}

const UNKNOWN = "We don’t know yet whether it was canceled. Reload to see.";

/** Confirms before canceling an accepted transfer that has not left. */
export function CancelDialog({ transferId, amount, sourceName, cancel, onClose }: CancelDialogProps) {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startCancelling] = useTransition();

  const submit = () =>
    startCancelling(async () => {
      const message = await attempt(() => cancel({ transferId }));
      setRefusal(message);
      if (message === null) onClose();
      router.refresh();
    });

  return (
    <Dialog title="Cancel this transfer?" onCancel={onClose}>
      <p className="ink2 dialog-l">
        {amount} stays in {sourceName}. It has not left yet.
      </p>
      <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
      <div className="btns">
        <Button kind="quiet" onClick={onClose}>
          Keep transfer
        </Button>
        <Button kind="deny" busy={isBusy} onClick={submit}>
          {isBusy ? "Canceling" : "Cancel transfer"}
        </Button>
      </div>
    </Dialog>
  );
}

/** Null when canceled, otherwise the reason why not. */
async function attempt(cancel: () => Promise<CancelResult>): Promise<string | null> {
  try {
    const result = await cancel();
    return result.kind === "CANCELLED" ? null : result.message;
  } catch {
    return UNKNOWN;
  }
}
