"use client";

import { Search } from "lucide-react";

export type Opened = "PALETTE" | "KEYS" | null;

let opened: Opened = null;
const listeners = new Set<() => void>();

/** Opens the palette or the shortcuts, or closes both. */
export function open(next: Opened): void {
  opened = next;
  for (const listener of listeners) listener();
}

export const readOpened = (): Opened => opened;

export const openedOnServer = (): Opened => null;

export function subscribeToOpened(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the palette without a keyboard. */
export function FindButton() {
  return (
    <button
      className="find-b"
      type="button"
      aria-haspopup="dialog"
      aria-label="Go, find or do"
      title="Go, find or do (⌘K or Ctrl K)"
      onClick={() => open("PALETTE")}
    >
      <Search className="ic" aria-hidden="true" />
    </button>
  );
}

/** Offers the palette on a page that was not found. */
export function FindLink() {
  return (
    <button className="lb link" type="button" aria-haspopup="dialog" onClick={() => open("PALETTE")}>
      Search by name, amount or ID
    </button>
  );
}
