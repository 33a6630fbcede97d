"use client";

import { lazy, Suspense } from "react";

// Every page carries this one, and hardly any shows it: it is loaded when it is.
const ElsewherePage = lazy(() =>
  import("@/components/live/elsewhere-page").then((module) => ({ default: module.ElsewherePage })),
);

/** A page of another organization than the tab showed. */
export function ElsewhereInPlace() {
  return (
    <Suspense>
      <ElsewherePage />
    </Suspense>
  );
}
