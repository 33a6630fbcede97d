"use client";

import { useRouter } from "next/navigation";
import { useEffect, useMemo } from "react";
import { rowLinkId } from "@/components/parts/movements/list-words";
import { useKeys } from "@/components/ui/single-keys/use-keys";

interface DrawerKeysProps {
  movementId: string;
  closeId: string;
  closeHref: string;
}

/** Moves the focus into the drawer when a row opens it, closes it on Esc, and returns the focus to the row. */
export function DrawerKeys({ movementId, closeId, closeHref }: DrawerKeysProps) {
  const router = useRouter();
  const keys = useMemo(
    () => ({ escape: () => router.push(closeHref, { scroll: false }) }),
    [router, closeHref],
  );
  useKeys(keys);
  useEffect(() => {
    const row = document.getElementById(rowLinkId(movementId));
    // Only if a row opened it: a link to an open drawer keeps the focus at the start of the page.
    if (row !== null && document.activeElement === row) document.getElementById(closeId)?.focus();
    return () => document.getElementById(rowLinkId(movementId))?.focus();
  }, [movementId, closeId]);
  return null;
}

const OPEN = 'details[name="filter"][open]';

/** Esc and a click outside close an open filter; without scripts, its own button does. */
export function CloseFilters() {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener(
      "keydown",
      (event) => {
        const open = event.key === "Escape" ? document.querySelector<HTMLDetailsElement>(OPEN) : null;
        if (!open) return;
        // Esc closes one thing at a time; the drawer stays open.
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
