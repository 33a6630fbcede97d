"use client";

import { type ComponentProps, lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";

const CancelDialog = lazy(() =>
  import("@/components/parts/approvals/cancel-dialog").then((module) => ({ default: module.CancelDialog })),
);

/** Cancels an accepted transfer that has not left. */
export function CancelTransfer(props: Omit<ComponentProps<typeof CancelDialog>, "onClose">) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="outlined" wide onClick={() => setIsOpen(true)}>
        Cancel this transfer
      </Button>
      <Suspense>{isOpen ? <CancelDialog {...props} onClose={() => setIsOpen(false)} /> : null}</Suspense>
    </>
  );
}
