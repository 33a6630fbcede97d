"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { partElementId } from "@/components/parts/sentences/part";

/** One control is open at a time; closing it with a word focuses that word. */
export function useOpenPart() {
  const [openPart, setOpen] = useState<string | null>(null);
  const returnTo = useRef<string | null>(null);
  const set = useCallback((part: string | null, focus: string | null = null) => {
    returnTo.current = focus;
    setOpen(part);
  }, []);
  useEffect(() => {
    const name = openPart === null ? returnTo.current : null;
    // A place without a control is focused directly.
    if (openPart !== null && !document.querySelector("[data-pop]")) {
      document.getElementById(partElementId(openPart))?.focus();
    }
    if (name === null) return;
    returnTo.current = null;
    const word = document.getElementById(partElementId(name));
    // If the word disappears with its value, the button that offered it gets the focus.
    const offered = document.getElementById(partElementId(name.replace(/\.\w+$/, ".more")));
    (word ?? offered)?.focus();
  }, [openPart]);
  return [openPart, set] as const;
}
