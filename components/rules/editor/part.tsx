"use client";

import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { useEditor } from "@/components/rules/editor/editor-context";
import { Button } from "@/components/ui/button";

interface PartProps {
  /** As problems name it: `trigger.account`, `a12.amount`. */
  name: string;
  /** The word in the sentence; null while nothing is chosen. */
  text: string | null;
  /** What stands there while nothing is chosen. */
  empty?: string;
  /** Names the control: "What action 2 sends". */
  label: string;
  /** At the left of Done, e.g. a way to have none of it. */
  foot?: ReactNode;
  children: ReactNode;
}

/** A word of the sentence that opens one small control. */
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

/** The id of the element that a part's focus returns to. */
export function partElementId(name: string): string {
  return `part-${name}`;
}

interface PopProps {
  label: string;
  /** Esc and Done: the focus goes back to the word. */
  onClose: () => void;
  /** The reader went on elsewhere. */
  onLeave: () => void;
  children: ReactNode;
}

const MARGIN = 16;

/** A small control beside the word that opened it; at the foot of the screen on phones. */
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
    // Gone already: another part opened from here has the focus now, and is not left.
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

/** A line that moves is taken out of the page for a moment, and the focus with it: it is given back. */
export function keepFocus(): void {
  const before = document.activeElement;
  requestAnimationFrame(() => {
    if (before instanceof HTMLElement && before.isConnected && document.activeElement !== before)
      before.focus();
  });
}

/** What had the focus is about to go: the focus goes to what stays, not to the top of the page. */
export function focusSoon(elementId: string): void {
  requestAnimationFrame(() => document.getElementById(elementId)?.focus());
}
