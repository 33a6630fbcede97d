"use client";

import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import type { RuleActions } from "@/lib/contract/views/rule-change";
import type { UnreadableRuleView } from "@/lib/contract/views/rule-view";

// The page of every rule carries this button: what it opens is loaded when it is wanted.
const DeactivateDialog = lazy(() =>
  import("@/components/rules/rule-dialog").then((module) => ({ default: module.DeactivateDialog })),
);
const DeleteDialog = lazy(() =>
  import("@/components/rules/rule-dialog").then((module) => ({ default: module.DeleteDialog })),
);

/** Stops a rule that cannot be shown, or deletes it where nothing of it runs. */
export function UnreadableRuleButton({ view, actions }: { view: UnreadableRuleView; actions: RuleActions }) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, name, activeVersion, hasPasskey } = view;
  const dialog = { ruleId: id, name, actions, onClose: () => setIsOpen(false) };
  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)}>
        {activeVersion === null ? "Delete rule" : "Deactivate"}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          {activeVersion === null ? (
            <DeleteDialog {...dialog} />
          ) : (
            <DeactivateDialog {...dialog} version={activeVersion} hasPasskey={hasPasskey} />
          )}
        </Suspense>
      ) : null}
    </>
  );
}
