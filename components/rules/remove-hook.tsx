"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import type { Refused } from "@/lib/contract/refused";
import type { HookActions } from "@/lib/contract/views/rule-hook-view";

interface RemoveHookProps {
  ruleId: string;
  ruleName: string;
  actions: Pick<HookActions, "removeHook">;
}

const UNKNOWN = "We do not know yet whether it was removed. Load this page again to see.";

/** Ends the hook: no program starts the rule any more. */
export function RemoveHook({ ruleId, ruleName, actions }: RemoveHookProps) {
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, startRemoving] = useTransition();
  const submit = () =>
    startRemoving(async () => {
      const result = await actions
        .removeHook({ ruleId })
        .catch((): Refused => ({ kind: "REFUSED", message: UNKNOWN }));
      if (result.kind === "REFUSED") return setRefusal(result.message);
      setIsOpen(false);
      router.refresh();
    });
  return (
    <>
      <Button kind="deny" onClick={() => setIsOpen(true)}>
        Revoke
      </Button>
      {isOpen ? (
        <Dialog title={`Let no program start ${ruleName}?`} onCancel={() => setIsOpen(false)}>
          <p className="ink2 dialog-l">
            The secret stops at once and cannot come back. What runs already goes on, and what waits for
            approval can still be decided.
          </p>
          <div role="status">{refusal ? <Note tone="red">{refusal}</Note> : null}</div>
          <div className="btns">
            <Button kind="quiet" onClick={() => setIsOpen(false)}>
              Keep the secret
            </Button>
            <Button kind="deny" busy={isBusy} onClick={submit}>
              {isBusy ? "Revoking" : "Revoke secret"}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
