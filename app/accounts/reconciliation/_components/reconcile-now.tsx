"use client";

import type { ReconciliationActions } from "@/app/accounts/reconciliation/_components/reconciliation-actions";
import { CHANGE_UNKNOWN } from "@/components/act/answer-lost";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";

interface ReconcileNowProps extends Pick<ReconciliationActions, "reconcileNow"> {
  isUnderWay: boolean;
}

/** Asks for a reconciliation, which the worker carries out. */
export function ReconcileNow({ reconcileNow, isUnderWay }: ReconcileNowProps) {
  const asking = useAction({ act: reconcileNow, whenLost: CHANGE_UNKNOWN });
  return (
    <div className="grid gap-2 justify-items-end max-sm:justify-items-start">
      <Button kind="outlined" busy={asking.isBusy} onClick={() => asking.run()}>
        {isUnderWay ? "Reconciling" : "Reconcile now"}
      </Button>
      <RefusalNote message={asking.message} />
    </div>
  );
}
