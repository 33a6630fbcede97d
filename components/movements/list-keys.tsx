"use client";

import { useRouter } from "next/navigation";
import { useEffect, useMemo } from "react";
import { rowLinkId } from "@/components/movements/list-words";
import { useKeys } from "@/components/ui/use-keys";

interface DrawerKeysProps {
  movementId: string;
  closeId: string;
  closeHref: string;
}

/** Brings the focus into the drawer when a row opens it, lets Esc close it, and gives the focus back to the row. */
export function DrawerKeys({ movementId, closeId, closeHref }: DrawerKeysProps) {
  const router = useRouter();
  const keys = useMemo(
    () => ({ escape: () => router.push(closeHref, { scroll: false }) }),
    [router, closeHref],
  );
  useKeys(keys);
  useEffect(() => {
    const row = document.getElementById(rowLinkId(movementId));
    // Only where a row opened it: a link to the open drawer leaves the focus at the page's beginning.
    if (row !== null && document.activeElement === row) document.getElementById(closeId)?.focus();
    return () => document.getElementById(rowLinkId(movementId))?.focus();
  }, [movementId, closeId]);
  return null;
}

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
