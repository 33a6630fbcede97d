"use client";

import { type ReactNode, useState } from "react";
import type { SluiceState } from "@/components/sluice/row-sluice";

/**
 * Remembers the state that the page was opened with, so that a gate moves when it is decided in front of the
 * reader, and stands still when a page is opened afterwards.
 */
export function MovingParts({ state, children }: { state: SluiceState; children: ReactNode }) {
  const [openedWith] = useState(state);
  const hasChanged = openedWith !== state;
  return <div className={hasChanged ? `big big-${state} play` : `big big-${state}`}>{children}</div>;
}
