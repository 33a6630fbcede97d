"use client";

import { useEffect, useRef, useState } from "react";

/** Esc or a press outside closes the panel; Esc returns the focus. */
export function useDisclosure() {
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape") return;
        setIsOpen(false);
        button.current?.focus();
      },
      { signal },
    );
    document.addEventListener(
      "pointerdown",
      (event) => {
        const isInside = event.target instanceof Node && frame.current?.contains(event.target);
        if (!isInside) setIsOpen(false);
      },
      { signal },
    );
    return () => stop.abort();
  }, [isOpen]);

  return { isOpen, setIsOpen, frame, button };
}
