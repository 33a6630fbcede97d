"use client";

import { useState } from "react";
import { useKeys } from "@/components/ui/single-keys/use-keys";
import type { BatchLineView } from "@/lib/views/approvals/get-batch-approval";

/**
 * Which lines are struck out, by the reader or by someone who signed before, and the line that `J` and `K` are at; `X`
 * strikes it out or puts it back. What others struck out stays.
 */
export function useStrikes(lines: readonly BatchLineView[]) {
  const [own, setOwn] = useState<ReadonlySet<number>>(new Set());
  const [at, setAt] = useState<number | null>(null);
  const others = lines.filter(({ struckBy }) => struckBy !== null).map(({ line }) => line);
  const struck: ReadonlySet<number> = new Set([...others, ...own]);
  const strike = (line: number) => {
    const changed = new Set(own);
    if (!changed.delete(line) && !others.includes(line)) changed.add(line);
    setOwn(changed);
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
