"use client";

import { useEffect } from "react";

/**
 * After a refused submit, the focus goes to the first wrong field, which scrolls into the middle of the screen: on a
 * phone it is often above the button and out of sight. One listener serves every form, no matter what judges its fields.
 * What watches loads with the first submit, because the approval page has a budget.
 */
export function FocusRefused() {
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener(
      "submit",
      async ({ target }) => {
        const { watchRefused } = await import("@/components/ui/watch-refused");
        if (!stop.signal.aborted) watchRefused(target);
      },
      { signal: stop.signal, capture: true },
    );
    return () => stop.abort();
  }, []);
  return null;
}
