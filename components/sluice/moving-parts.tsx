"use client";

import { type ReactNode, useState } from "react";
import type { SluiceState } from "@/components/sluice/row-sluice";

/**
 * Remembers the initial state, so that a gate moves only when the decision happens while the page is open.
 */
export function MovingParts({ state, children }: { state: SluiceState; children: ReactNode }) {
  const [openedWith] = useState(state);
  const hasChanged = openedWith !== state;
  return (
    <div
      className={`group/parts flex h-32 ${state === "expired" ? "opacity-70" : ""}`}
      data-changed={hasChanged || undefined}
    >
      {children}
    </div>
  );
}
