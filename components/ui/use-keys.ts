"use client";

import { useEffect } from "react";

/** What single keys do, by `KeyboardEvent.key` in lower case. */
export type KeyMap = Readonly<Record<string, () => void>>;

/**
 * Listens for single keys. They are off while a field has the focus, a dialog is open, or a modifier is held, so
 * that typing and the browser's own shortcuts never decide about money.
 */
export function useKeys(keys: KeyMap): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || hasModifier(event) || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      const act = keys[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [keys]);
}

function hasModifier(event: KeyboardEvent): boolean {
  return event.altKey || event.ctrlKey || event.metaKey;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}
