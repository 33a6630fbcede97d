"use client";

import { useEffect, useState } from "react";

const TICK_MS = 10_000;

/**
 * Milliseconds until `endsAt`, counted from the server's `nowAt` with the browser's monotonic clock. The browser's
 * own date is never asked: it may be wrong, and business time may be ahead of it.
 */
export function useTimeLeft(nowAt: string, endsAt: string): number {
  const leftAtRender = Date.parse(endsAt) - Date.parse(nowAt);
  const [leftMs, setLeftMs] = useState(leftAtRender);

  useEffect(() => {
    const startedAt = performance.now();
    const tick = () => setLeftMs(leftAtRender - (performance.now() - startedAt));
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [leftAtRender]);

  return Math.max(0, leftMs);
}
