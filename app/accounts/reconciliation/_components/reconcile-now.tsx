"use client";

import { reconcileNow } from "@/app/accounts/reconciliation/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { useAction } from "@/components/act/use-action";
import { Button } from "@/components/ui/button";

/** Asks for a reconciliation, which the worker carries out. */
export function ReconcileNow({ isUnderWay }: { isUnderWay: boolean }) {
  const asking = useAction(reconcileNow);
  return (
    <div className="grid gap-2 justify-items-end max-sm:justify-items-start">
      <Button kind="outlined" busy={asking.isBusy} onClick={() => asking.run()}>
        {isUnderWay ? "Reconciling" : "Reconcile now"}
      </Button>
      <RefusalNote message={asking.message} />
    </div>
  );
}
