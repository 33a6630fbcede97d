"use client";

import { withdrawMySignature } from "@/app/approvals/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";

/** Takes back the member's own signature while the proposal waits. No question: it only takes away, and they may sign again. */
export function WithdrawSignature({ proposalId }: { proposalId: string }) {
  const withdrawing = useAction(withdrawMySignature, { refreshesWhenRefused: true });
  return (
    <div className="mt-4">
      <Button
        kind="outlined"
        size="small"
        busy={withdrawing.isBusy}
        onClick={() => withdrawing.run({ proposalId })}
      >
        Withdraw your signature
      </Button>
      <RefusalNote message={withdrawing.message} />
    </div>
  );
}
