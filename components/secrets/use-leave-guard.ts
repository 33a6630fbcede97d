"use client";

import { useEffect } from "react";

/**
 * Keeps a page from being left by mistake: the browser asks before it is closed or reloaded, and a press on a link of
 * the page is held back and reported instead.
 */
export function useLeaveGuard(isOn: boolean, onHeldBack: (href: string) => void): void {
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener("beforeunload", (event) => event.preventDefault(), { signal });
    document.addEventListener(
      "click",
      (event) => {
        const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
        const href = link?.getAttribute("href");
        if (
          !href ||
          href.startsWith("#") ||
          event.ctrlKey ||
          event.metaKey ||
          link?.getAttribute("target") === "_blank"
        )
          return;
        event.preventDefault();
        event.stopPropagation();
        onHeldBack(href);
      },
      // Before the router hears of it.
      { signal, capture: true },
    );
    return () => stop.abort();
  }, [isOn, onHeldBack]);
}
