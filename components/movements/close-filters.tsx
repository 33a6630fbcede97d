"use client";

import { useEffect } from "react";

const OPEN = "details.fpop[open]";

/** Esc and a press outside close an open filter, as people expect; without script its own press does. */
export function CloseFilters() {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener(
      "keydown",
      (event) => {
        const open = event.key === "Escape" ? document.querySelector<HTMLDetailsElement>(OPEN) : null;
        if (!open) return;
        // Esc closes one thing at a time: the drawer stays.
        event.preventDefault();
        open.open = false;
        open.querySelector("summary")?.focus();
      },
      { signal, capture: true },
    );
    document.addEventListener(
      "pointerdown",
      ({ target }) => {
        const open = document.querySelector<HTMLDetailsElement>(OPEN);
        if (open && !(target instanceof Node && open.contains(target))) open.open = false;
      },
      { signal },
    );
    return () => stop.abort();
  }, []);
  return null;
}
