"use client";

import { cancel } from "@/app/approvals/actions";
import { outcomeUnknown } from "@/components/act/answer-lost";
import { ConfirmDialog } from "@/components/act/confirm-dialog";
import { QueryProvider } from "@/components/act/query-provider";
import { useAction } from "@/components/act/use-action";
import type { Refused } from "@/lib/contract/refused";

interface CancelDialogProps {
  transferId: string;
  amount: string;
  sourceName: string;
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
function ConfirmCancel({ transferId, amount, sourceName, onClose }: CancelDialogProps) {
  const canceling = useAction(
    async (_input, shown): Promise<{ kind: "CANCELLED" } | Refused> => {
      const answer = await cancel({ transferId }, shown);
      return answer.kind === "TOO_LATE" ? { kind: "REFUSED", message: answer.message } : answer;
    },
    {
      whenLost: UNKNOWN,
      onDone: onClose,
      refreshesWhenRefused: true,
    },
  );
  return (
    <ConfirmDialog
      title="Cancel this transfer?"
      keepLabel="Keep transfer"
      actLabel="Cancel transfer"
      busyLabel="Canceling"
      kind="deny"
      action={canceling}
      onAct={() => canceling.run()}
      onClose={onClose}
    >
      <p>
        {amount} stays in {sourceName}. It has not left yet.
      </p>
    </ConfirmDialog>
  );
}
