"use client";

import { Popover } from "radix-ui";
import type { ReactNode, RefObject } from "react";
import { useParts } from "@/components/parts/sentences/part-context";

/** Which ends of word and control are aligned, where there is room. */
export type PopPlace = "left" | "right" | "narrowRight";

interface PopupProps {
  label: string;
  place: PopPlace;
  /** The control is beside it. */
  word: RefObject<HTMLButtonElement | null>;
  children: ReactNode;
}

/**
 * An open control; at the bottom of the screen on phones (base.css). On Esc and Done, the editor returns the focus to
 * the word.
 */
export function Popup({ label, place, word, children }: PopupProps) {
  const { setOpenPart, closePart } = useParts();
  return (
    <Popover.Root open onOpenChange={(isOpen) => isOpen || setOpenPart(null)}>
      <Popover.Anchor virtualRef={word} />
      <Popover.Portal>
        <Popover.Content
          className={`${place === "narrowRight" ? "sm:w-60" : "sm:w-75"} z-30 max-h-(--radix-popover-content-available-height) overflow-y-auto rounded-lg border border-rule-strong bg-surface p-4 text-left text-base text-ink shadow-float outline-none sm:max-w-[calc(100vw_-_32px)] max-sm:max-h-[80vh] max-sm:rounded-b-none max-sm:pb-[calc(16px_+_env(safe-area-inset-bottom))] [&_.button]:min-h-8 [&_.button]:px-3 [&_.button]:py-0 max-sm:[&_.button]:min-h-11 [&_.input]:min-h-9 [&_.input]:w-full max-sm:[&_.input]:min-h-11 [&_[data-kind='quiet']]:-ml-2.5`}
          data-pop=""
          aria-label={label}
          align={place === "left" ? "start" : "end"}
          sideOffset={6}
          collisionPadding={16}
          onOpenAutoFocus={focusFirst}
          // Its word may be gone with its value: the editor knows where the focus goes.
          onCloseAutoFocus={(event) => event.preventDefault()}
          // A press of the word closes it by itself.
          onInteractOutside={(event) => {
            if (event.target instanceof Node && word.current?.contains(event.target)) event.preventDefault();
          }}
          onEscapeKeyDown={(event) => {
            event.preventDefault();
            closePart();
          }}
        >
          <form
            className="grid gap-3"
            method="post"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              closePart();
            }}
          >
            {children}
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** What is chosen, or the first control. */
function focusFirst(event: Event): void {
  const frame = event.currentTarget;
  if (!(frame instanceof HTMLElement)) return;
  event.preventDefault();
  const first =
    frame.querySelector<HTMLElement>("input:checked, [data-first]") ??
    frame.querySelector<HTMLElement>("input, select, textarea, button");
  first?.focus();
  if (first instanceof HTMLInputElement && first.type === "text") first.select();
}
