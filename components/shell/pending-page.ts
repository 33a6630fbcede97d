"use client";

import { useSyncExternalStore } from "react";

/** Where the reader is on their way to, while the server makes the page; null when nowhere. */
let pendingHref: string | null = null;
const listeners = new Set<() => void>();

export function setPendingPage(href: string | null): void {
  pendingHref = href;
  for (const listener of listeners) listener();
}

/** The page that was asked for and is not here yet. */
export function usePendingPage(): string | null {
  return useSyncExternalStore(subscribe, readPending, nowhereOnServer);
}

const readPending = () => pendingHref;
const nowhereOnServer = () => null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
