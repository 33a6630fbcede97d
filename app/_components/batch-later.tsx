"use client";

import { lazy, Suspense } from "react";
import type { BatchApprovalProps } from "@/app/_components/batch-approval";

// Its scripts load only for batches: they would double those of the approval page, which most proposals open alone.
const BatchApproval = lazy(() =>
  import("@/app/_components/batch-approval").then((module) => ({ default: module.BatchApproval })),
);

/** A batch that waits, with scripts of its own. */
export function BatchLater(props: BatchApprovalProps) {
  return (
    <Suspense>
      <BatchApproval {...props} />
    </Suspense>
  );
}
