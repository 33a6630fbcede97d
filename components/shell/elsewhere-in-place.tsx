"use client";

import { lazy, Suspense } from "react";

// Every page includes this and hardly any shows it, so it is loaded lazily.
const ElsewherePage = lazy(() =>
  import("@/components/shell/elsewhere-page").then((module) => ({ default: module.ElsewherePage })),
);

export function ElsewhereInPlace() {
  return (
    <Suspense>
      <ElsewherePage />
    </Suspense>
  );
}
