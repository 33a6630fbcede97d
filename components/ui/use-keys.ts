"use client";

import { useEffect } from "react";

/** Matches while a modal dialog covers the page. */
export const OPEN_MODAL = '[aria-modal="true"]';

/** By `KeyboardEvent.key` in lower case. */
type KeyMap = Readonly<Record<string, () => void>>;

export function useKeys(keys: KeyMap): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || !areSingleKeysOn(event)) return;
      const act = keys[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [keys]);
}

/**
 * Off while a field has the focus, a dialog is open or a modifier is held, so that typing never decides about money;
 * and where the member switched them off.
 */
export function areSingleKeysOn(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return false;
  if (document.documentElement.dataset.keys === "off") return false;
  return !isTyping(event.target) && document.querySelector(OPEN_MODAL) === null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}

/** For this page; the caller stores the choice for the next. */
export function switchSingleKeys(isOn: boolean): void {
  if (isOn) delete document.documentElement.dataset.keys;
  else document.documentElement.dataset.keys = "off";
}
