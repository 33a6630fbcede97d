"use client";

import { type ReactNode, type RefObject, useEffect, useId, useRef } from "react";

interface DialogProps {
  title: string;
  /** For Esc; without it, only the dialog's buttons close it. */
  onCancel?: () => void;
  /** Focused on opening; defaults to the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** For decisions that let something move money by itself. */
  isAlert?: boolean;
  children: ReactNode;
}

/**
 * A modal dialog, open while rendered. The native element traps the focus and makes the page inert; closing restores
 * the focus.
 */
export function Dialog({ title, onCancel, initialFocus, isAlert = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    initialFocus?.current?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, [initialFocus]);

  return (
    <dialog
      ref={dialog}
      className="dialog"
      role={isAlert ? "alertdialog" : undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onCancel?.();
      }}
      onKeyDown={(event) => {
        // Chromium closes on a second Esc even if `cancel` was prevented; codes shown once must survive that.
        if (event.key === "Escape") {
          event.preventDefault();
          // Only the topmost dialog closes.
          event.stopPropagation();
          onCancel?.();
        }
      }}
      // React events bubble to the parent component: a surrounding form would be submitted too.
      onSubmit={(event) => event.stopPropagation()}
    >
      <h2 className="h1 dialog-t" id={titleId}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
