"use client";

import { lazy, Suspense } from "react";
import type { BatchApprovalProps } from "@/components/parts/batches/batch-approval";

// Its scripts load only for batches: they would double those of the approval page, which most proposals open alone.
const BatchApproval = lazy(() =>
  import("@/components/parts/batches/batch-approval").then((module) => ({ default: module.BatchApproval })),
);

/** A batch that waits, with scripts of its own. */
export function BatchLater(props: BatchApprovalProps) {
  return (
    <Suspense>
      <BatchApproval {...props} />
    </Suspense>
  );
}
