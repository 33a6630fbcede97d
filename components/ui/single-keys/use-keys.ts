"use client";

import { useEffect, useRef } from "react";
import { createSingleKeys, type SingleKeyListener } from "@/components/ui/single-keys/single-keys";

/** Matches while a modal dialog covers the page. */
export const OPEN_MODAL = '[aria-modal="true"]';

/** By `KeyboardEvent.key` in lower case. */
type KeyMap = Readonly<Record<string, () => void>>;

const singleKeys = createSingleKeys({
  now: () => performance.now(),
  mayAct: () => !isField(document.activeElement) && document.querySelector(OPEN_MODAL) === null,
});

let listenerCount = 0;

/**
 * Single keys of this page, from now on.
 * @param isFirst gets each key before the others
 * @returns ends it
 */
export function listenToSingleKeys(listener: SingleKeyListener, isFirst = false): () => void {
  if (listenerCount === 0) document.addEventListener("keydown", hear, { capture: true });
  listenerCount += 1;
  const end = singleKeys.listen(listener, isFirst);
  return () => {
    end();
    listenerCount -= 1;
    if (listenerCount === 0) document.removeEventListener("keydown", hear, { capture: true });
  };
}

function hear(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat || !areSingleKeysOn(event)) return;
  if (event.key === "Enter" || event.key === " ") {
    // A password typed beside its field ends with Enter, which must not press the button that has the focus.
    if (singleKeys.isTyping()) event.preventDefault();
    return;
  }
  if (event.key.length === 1 && singleKeys.press(event.key.toLowerCase())) event.preventDefault();
}

/** @param onText several keys in a row were text, and did nothing */
export function useKeys(keys: KeyMap, onText?: () => void): void {
  const latest = useRef({ keys, onText });
  latest.current = { keys, onText };
  useEffect(
    () =>
      listenToSingleKeys({
        onKey: (key) => {
          const act = latest.current.keys[key];
          act?.();
          return act !== undefined;
        },
        onText: () => latest.current.onText?.(),
      }),
    [],
  );
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.key.length === 1 || !areSingleKeysOn(event)) return;
      const act = latest.current.keys[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

/** The page changed by itself: a key pressed now was meant for what it showed before. */
export function restSingleKeys(): void {
  singleKeys.rest();
}

/** Rests when any of these differ from what was shown before, not when first shown. */
export function useKeysRest(shown: readonly unknown[]): void {
  const before = useRef(shown);
  useEffect(() => {
    const hasChanged = shown.some((one, index) => one !== before.current[index]);
    before.current = shown;
    if (hasChanged) restSingleKeys();
  });
}

/**
 * Off while a field has the focus, a dialog is open or a modifier is held, so that typing never decides about money;
 * and where the member switched them off.
 */
function areSingleKeysOn(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return false;
  if (document.documentElement.dataset.keys === "off") return false;
  return !isField(event.target) && document.querySelector(OPEN_MODAL) === null;
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}

/** For this page; the caller stores the choice for the next. */
export function switchSingleKeys(isOn: boolean): void {
  if (isOn) delete document.documentElement.dataset.keys;
  else document.documentElement.dataset.keys = "off";
}
