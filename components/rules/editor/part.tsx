"use client";

import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { useEditor } from "@/components/rules/editor/editor-context";
import { Button } from "@/components/ui/button";

interface PartProps {
  /** As in problems: `trigger.account`, `a12.amount`. */
  name: string;
  /** The word in the sentence; null if nothing is chosen. */
  text: string | null;
  /** The placeholder if nothing is chosen. */
  empty?: string;
  /** Labels the control: "Amount of action 2". */
  label: string;
  /** Left of Done, e.g. a button to remove the part. */
  foot?: ReactNode;
  children: ReactNode;
}

/** A word of the sentence that opens a small control. */
export function Part({ name, text, empty = "choose", label, foot, children }: PartProps) {
  const { openPart, setOpenPart, closePart, problems } = useEditor();
  const isOpen = openPart === name;
  const problem = problems.get(name);
  return (
    <div className="part-w">
      <button
        type="button"
        id={partElementId(name)}
        className={text === null || problem ? "part miss" : "part"}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-label={`${text ?? empty}, ${label}`}
        onClick={() => setOpenPart(isOpen ? null : name)}
      >
        {text ?? empty}
        <ChevronDown className="ic" />
      </button>
      {isOpen ? (
        <Pop label={label} onClose={closePart} onLeave={() => setOpenPart(null)}>
          {children}
          {problem ? <p className="hint">{problem}</p> : null}
          <p className="pop-f">
            <span>{foot}</span>
            <Button kind="outlined" size="small" type="submit">
              Done
            </Button>
          </p>
        </Pop>
      ) : null}
    </div>
  );
}

/** The id of the element to focus when the control closes. */
export function partElementId(name: string): string {
  return `part-${name}`;
}

interface PopProps {
  label: string;
  /** On Esc and Done, the focus returns to the word. */
  onClose: () => void;
  /** The focus moved elsewhere. */
  onLeave: () => void;
  children: ReactNode;
}

const MARGIN = 16;

/** A small control beside its word; at the bottom of the screen on phones. */
export function Pop({ label, onClose, onLeave, children }: PopProps) {
  const frame = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const { right } = element.getBoundingClientRect();
    const beyond = Math.max(0, right + MARGIN - document.documentElement.clientWidth);
    element.style.setProperty("--shift", `${-beyond}px`);
    const first =
      element.querySelector<HTMLElement>("input:checked, [data-first]") ??
      element.querySelector<HTMLElement>("input, select, textarea, button");
    first?.focus();
    if (first instanceof HTMLInputElement && first.type === "text") first.select();
    element.scrollIntoView({ block: "nearest" });
  }, []);

  useEffect(() => {
    const stop = new AbortController();
    // Already closed: another part was opened from here and keeps the focus.
    const isElsewhere = (target: EventTarget | null) =>
      target instanceof Node && frame.current?.parentElement?.contains(target) === false;
    const leave = (event: Event) => {
      if (isElsewhere(event.target)) onLeave();
    };
    document.addEventListener("pointerdown", leave, { signal: stop.signal });
    document.addEventListener("focusin", leave, { signal: stop.signal });
    return () => stop.abort();
  }, [onLeave]);

  return (
    <div
      ref={frame}
      className="pop"
      role="dialog"
      // Pressing words moves the focus to the nearest element that takes it: this one, not the page around it.
      tabIndex={-1}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <form
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
        }}
      >
        {children}
      </form>
    </div>
  );
}

/** Moving a line briefly removes it from the page; restores its focus. */
export function keepFocus(): void {
  const before = document.activeElement;
  requestAnimationFrame(() => {
    if (before instanceof HTMLElement && before.isConnected && document.activeElement !== before)
      before.focus();
  });
}

/** The focused element is being removed: moves the focus to one that stays, not to the top of the page. */
export function focusSoon(elementId: string): void {
  requestAnimationFrame(() => document.getElementById(elementId)?.focus());
}
