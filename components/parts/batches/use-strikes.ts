"use client";

import { useState } from "react";
import { useKeys } from "@/components/ui/single-keys/use-keys";
import type { BatchLineView } from "@/lib/views/approvals/get-batch-approval";

/** Which lines the reader has struck out, and the line that `J` and `K` are at; `X` strikes it out or puts it back. */
export function useStrikes(lines: readonly BatchLineView[]) {
  const [struck, setStruck] = useState<ReadonlySet<number>>(new Set());
  const [at, setAt] = useState<number | null>(null);
  const strike = (line: number) => {
    const changed = new Set(struck);
    if (!changed.delete(line)) changed.add(line);
    setStruck(changed);
    setAt(line);
  };
  const move = (by: 1 | -1) => {
    const index = lines.findIndex(({ line }) => line === at);
    const next = lines[index === -1 ? 0 : Math.min(lines.length - 1, Math.max(0, index + by))];
    if (!next) return;
    setAt(next.line);
    // Its button has the focus, so that Enter does what `X` does, and the page scrolls to it.
    document.querySelector<HTMLElement>(`[data-line="${next.line}"]`)?.focus();
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => at !== null && strike(at),
  });
  return { struck, at, strike };
}
