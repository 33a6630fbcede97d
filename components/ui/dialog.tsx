"use client";

import { setNonce } from "get-nonce";
import { Dialog as Modal } from "radix-ui";
import { type ReactNode, type RefObject, useRef } from "react";
import { TITLE_FACE } from "@/components/ui/text-styles";

interface DialogProps {
  title: string;
  /** For Esc; without it, only the dialog's buttons close it. */
  onCancel?: () => void;
  /** Focused on opening; defaults to the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** For decisions that let something move money by itself. */
  isAlert?: boolean;
  /** For content in two columns. */
  isWide?: boolean;
  children: ReactNode;
}

export const DIALOG_FACE =
  "w-full p-7 border border-rule-strong rounded-lg bg-surface shadow-float [&_.field]:mt-5 [&_.notice]:mt-5";

export const BACKDROP = "fixed inset-0 z-40 bg-[oklch(0.2_0.03_210_/_0.34)]";

/** A modal dialog, open while rendered. The focus stays in it, and returns to where it was. */
export function Dialog({
  title,
  onCancel,
  initialFocus,
  isAlert = false,
  isWide = false,
  children,
}: DialogProps) {
  const before = useRef<Element>(null);
  return (
    <Modal.Root open onOpenChange={() => onCancel?.()}>
      <Modal.Portal>
        <Modal.Overlay className={BACKDROP} />
        <Modal.Content
          className={`${DIALOG_FACE} fixed inset-0 z-40 m-auto h-fit max-h-[calc(100dvh_-_40px)] overflow-y-auto ${isWide ? "max-w-[min(720px,calc(100vw_-_40px))]" : "max-w-[min(480px,calc(100vw_-_40px))]"}`}
          role={isAlert ? "alertdialog" : "dialog"}
          aria-modal
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            before.current = document.activeElement;
            if (!initialFocus?.current) return;
            event.preventDefault();
            initialFocus.current.focus();
          }}
          // Radix returns the focus to a trigger, which a dialog that is open while rendered has not.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
          // A tap beside it must not lose what was typed, or a secret that is shown once.
          onInteractOutside={(event) => event.preventDefault()}
          // React events bubble to the parent component: it would close too, and a surrounding form would be submitted.
          onKeyDown={(event) => {
            if (event.key === "Escape") event.stopPropagation();
          }}
          onSubmit={(event) => event.stopPropagation()}
        >
          <Modal.Title className={`${TITLE_FACE} text-[26px]/8 wrap-anywhere`}>{title}</Modal.Title>
          {children}
        </Modal.Content>
      </Modal.Portal>
    </Modal.Root>
  );
}

/** Radix stops the page from scrolling by a style element, which the policy accepts only with the page's nonce. */
function adoptNonceOfPage(): void {
  const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce;
  if (nonce) setNonce(nonce);
}

if (typeof document !== "undefined") adoptNonceOfPage();
