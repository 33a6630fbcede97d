"use client";

import { Search } from "lucide-react";

/** What is open over the page. */
export type Opened = "PALETTE" | "KEYS" | null;

let opened: Opened = null;
const listeners = new Set<() => void>();

/** Opens one of the two over the page, instead of the other, or closes what is open. */
export function open(next: Opened): void {
  opened = next;
  for (const listener of listeners) listener();
}

export const readOpened = (): Opened => opened;

/** Nothing is open on a page that comes from the server. */
export const openedOnServer = (): Opened => null;

export function subscribeToOpened(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the palette, for whoever has no keyboard or does not know its keys. */
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

/** The palette by a sentence, on a page where something was not found. */
export function FindLink() {
  return (
    <button className="lb link" type="button" aria-haspopup="dialog" onClick={() => open("PALETTE")}>
      Find it by name, amount or id
    </button>
  );
}
