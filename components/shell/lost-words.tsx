"use client";

import { lazy } from "react";

// Every page includes this and hardly any shows it, so it is loaded lazily.
const LostText = lazy(() =>
  import("@/components/shell/lost-text").then((module) => ({ default: module.LostText })),
);

/** A function: what a server component renders of a client's module may not be lazy itself. */
export function LostWords() {
  return <LostText />;
}
