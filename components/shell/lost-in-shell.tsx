"use client";

import { lazy } from "react";
import type { ShellView } from "@/lib/views/read-shell";

// Every page includes this and hardly any shows it, so it is loaded lazily.
const LostPage = lazy(() =>
  import("@/components/shell/lost-page").then((module) => ({ default: module.LostPage })),
);

export function LostInShell(props: { view: ShellView }) {
  return <LostPage {...props} />;
}
