"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { shownByPage } from "@/components/act/shown-by-page";

type Fields = Record<string, string>;

/**
 * Typed values of a form that survive a reload of the page. They are kept in this tab alone, under the member and the
 * organization that the page shows, and only until the page is left. Never for secrets or account numbers: browsers
 * write these values to the disk.
 * @param form names the form within the product
 * @param initial what the page fills in
 */
export function useKeptFields<Kept extends Fields>(form: string, initial: Kept) {
  const [fields, setFields] = useState(initial);
  const [isRestored, setIsRestored] = useState(false);
  const isTouched = useRef(false);
  const filledIn = useRef(initial);

  useEffect(() => {
    const key = keyOf(form);
    const kept = wasReloaded() ? readKept(key, filledIn.current) : null;
    if (kept !== null) {
      isTouched.current = true;
      setFields(kept);
      setIsRestored(true);
    }
    // A reload does not run this: the values go when the form does.
    return () => forgetKept(key);
  }, [form]);

  useEffect(() => {
    if (isTouched.current) writeKept(keyOf(form), fields);
  }, [form, fields]);

  const change = (changes: Partial<Kept>) => {
    isTouched.current = true;
    setFields((before) => ({ ...before, ...changes }));
  };
  /** What was typed is done with; the page may stay open. */
  const forget = useCallback(() => {
    isTouched.current = false;
    forgetKept(keyOf(form));
  }, [form]);
  return { fields, change, forget, isRestored };
}

/** The next person at this tab, or another organization in it, finds nothing. */
function keyOf(form: string): string {
  return `typed ${form} ${shownByPage()}`;
}

/** A link to the form starts a new one, with what the link fills in. */
function wasReloaded(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation instanceof PerformanceNavigationTiming && navigation.type !== "navigate";
}

/** Null: nothing is kept, or not by this version of the form. */
function readKept<Kept extends Fields>(key: string, initial: Kept): Kept | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    if (typeof kept !== "object" || kept === null) return null;
    const values = new Map<string, unknown>(Object.entries(kept));
    const names = Object.keys(initial);
    if (!names.every((name) => typeof values.get(name) === "string")) return null;
    return { ...initial, ...Object.fromEntries(names.map((name) => [name, values.get(name)])) };
  } catch {
    // Storage that is switched off, or edited by hand: the form starts as the page fills it in.
    return null;
  }
}

function writeKept(key: string, fields: Fields): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(fields));
  } catch {
    // Switched off or full: a reload then loses what was typed, as before.
  }
}

function forgetKept(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Switched off: nothing was kept.
  }
}
