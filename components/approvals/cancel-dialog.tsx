"use client";

import { outcomeUnknown } from "@/components/actions/answer-lost";
import { QueryProvider } from "@/components/actions/query-provider";
import { RefusalNote } from "@/components/actions/refusal-note";
import { useAction } from "@/components/actions/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Refused } from "@/lib/contract/refused";
import type { CancelAction } from "@/lib/contract/views/decision";

interface CancelDialogProps {
  transferId: string;
  amount: string;
  sourceName: string;
  cancel: CancelAction;
  onClose: () => void;
}

const UNKNOWN = outcomeUnknown("we don’t know yet whether it was canceled. Reload to see.");

/** Loaded on demand, with all that it needs to act: the approval page stays small. */
export function CancelDialog(props: CancelDialogProps) {
  return (
    <QueryProvider>
      <ConfirmCancel {...props} />
    </QueryProvider>
  );
}

/** Confirms before canceling an accepted transfer that has not left. */
function ConfirmCancel({ transferId, amount, sourceName, cancel, onClose }: CancelDialogProps) {
  const canceling = useAction({
    act: async (): Promise<{ kind: "CANCELLED" } | Refused> => {
      const answer = await cancel({ transferId });
      return answer.kind === "TOO_LATE" ? { kind: "REFUSED", message: answer.message } : answer;
    },
    whenLost: UNKNOWN,
    onDone: onClose,
    refreshesWhenRefused: true,
  });
  return (
    <Dialog title="Cancel this transfer?" onCancel={onClose}>
      <p className="ink2 dialog-l">
        {amount} stays in {sourceName}. It has not left yet.
      </p>
      <RefusalNote message={canceling.message} />
      <div className="btns">
        <Button kind="quiet" onClick={onClose}>
          Keep transfer
        </Button>
        <Button kind="deny" busy={canceling.isBusy} onClick={() => canceling.run()}>
          {canceling.isBusy ? "Canceling" : "Cancel transfer"}
        </Button>
      </div>
    </Dialog>
  );
}
