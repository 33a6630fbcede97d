"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { CancelAction, CancelResult } from "@/lib/contract/views/decision";

interface CancelTransferProps {
  transferId: string;
  amount: string;
  sourceName: string;
  cancel: CancelAction;
}

const UNKNOWN = "We do not know yet whether it was cancelled. Look again.";

/** Cancels what was accepted and has not left. */
export function CancelTransfer({ transferId, amount, sourceName, cancel }: CancelTransferProps) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startCancelling] = useTransition();

  const submit = () =>
    startCancelling(async () => {
      const message = await attempt(() => cancel({ transferId }));
      setRefusal(message);
      if (message === null) setIsOpen(false);
      router.refresh();
    });

  return (
    <>
      <Button kind="outlined" wide onClick={() => setIsOpen(true)}>
        Cancel this transfer
      </Button>
      {isOpen ? (
        <Dialog title="Cancel this transfer?" onCancel={() => setIsOpen(false)}>
          <p className="ink2 dialog-l">
            {amount} stays in {sourceName}. It has not left yet.
          </p>
          <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
          <div className="btns">
            <Button kind="quiet" onClick={() => setIsOpen(false)}>
              Let it go on
            </Button>
            <Button kind="deny" busy={isBusy} onClick={submit}>
              {isBusy ? "Cancelling" : "Cancel transfer"}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

/** Null when it was cancelled, else the sentence that says why not. */
async function attempt(cancel: () => Promise<CancelResult>): Promise<string | null> {
  try {
    const result = await cancel();
    if (result.kind === "CANCELLED") return null;
    return result.kind === "ERROR" ? `${result.message} Request ${result.requestId}.` : result.message;
  } catch {
    return UNKNOWN;
  }
}
