"use client";

import { lazy } from "react";
import type { ShellActions, ShellView } from "@/lib/contract/views/shell-view";

// Every page carries this one, and hardly any shows it: it is loaded when it is.
const LostPage = lazy(() =>
  import("@/components/errors/lost-page").then((module) => ({ default: module.LostPage })),
);

/** An address that leads nowhere, for a member. */
export function LostInShell(props: { view: ShellView; actions: ShellActions }) {
  return <LostPage {...props} />;
}
