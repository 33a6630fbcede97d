"use client";

import { type ReactNode, type RefObject, useEffect, useId, useRef } from "react";

interface DialogProps {
  title: string;
  /** Called for Esc; left out, the dialog can only be closed by its own buttons. */
  onCancel?: () => void;
  /** Takes the focus when the dialog opens; else the first control does. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** For what cannot be read past: it asks about something that acts on money by itself from then on. */
  isAlert?: boolean;
  children: ReactNode;
}

/**
 * A modal dialog that is open as long as it is rendered. The native element keeps the focus inside and the page
 * behind inert; on close the focus returns to where it was.
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
        // Chromium closes at the second Esc even when `cancel` was prevented; codes shown once must survive that.
        if (event.key === "Escape") {
          event.preventDefault();
          // A dialog that stands over another one closes alone.
          event.stopPropagation();
          onCancel?.();
        }
      }}
      // React hands events on to whatever rendered this: a form around it would be submitted with the dialog's own.
      onSubmit={(event) => event.stopPropagation()}
    >
      <h2 className="h1 dialog-t" id={titleId}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
