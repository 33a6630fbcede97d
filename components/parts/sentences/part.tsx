"use client";

import { ChevronDown } from "lucide-react";
import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, useRef } from "react";
import { partClass } from "@/components/parts/rules/sentence-class";
import { useParts } from "@/components/parts/sentences/part-context";
import type { PopPlace } from "@/components/parts/sentences/popup";
import { Button } from "@/components/ui/button";
import { LiveButton } from "@/components/ui/live-button";
import { useLoaded } from "@/components/ui/use-loaded";

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
  place?: PopPlace;
  children: ReactNode;
}

/** A word of the sentence that opens a small control. */
export function Part({ name, text, empty = "choose", label, foot, place, children }: PartProps) {
  const problem = useParts().problems.get(name);
  const trigger = (
    <LiveButton
      id={partElementId(name)}
      className={partClass({ control: "button", missing: text === null || problem !== undefined })}
      aria-label={`${text ?? empty}, ${label}`}
    >
      {text ?? empty}
      <ChevronDown />
    </LiveButton>
  );
  return (
    <Pop name={name} label={label} place={place} trigger={trigger}>
      {children}
      {problem ? <p className="text-sm text-ink-3">{problem}</p> : null}
      <p className="flex items-center justify-between">
        <span>{foot}</span>
        <Button kind="outlined" size="small" type="submit">
          Done
        </Button>
      </p>
    </Pop>
  );
}

/** The id of the element to focus when the control closes. */
export function partElementId(name: string): string {
  return `part-${name}`;
}

interface PopProps {
  name: string;
  label: string;
  place?: PopPlace;
  trigger: ReactElement<ComponentProps<"button">>;
  children: ReactNode;
}

/**
 * A small control beside its word. The library that places it is a fifth of the editor's scripts, and is loaded with
 * the first word that is pointed at or opened.
 */
export function Pop({ name, label, place = "left", trigger, children }: PopProps) {
  const { openPart, setOpenPart } = useParts();
  const word = useRef<HTMLButtonElement>(null);
  const isOpen = openPart === name;
  const Popup = useLoaded(isOpen, loadPopup, () => setOpenPart(null));
  return (
    <>
      {cloneElement(trigger, {
        ref: word,
        "aria-haspopup": "dialog",
        "aria-expanded": isOpen,
        onPointerEnter: () => void loadPopup().catch(() => null),
        onClick: () => setOpenPart(isOpen ? null : name),
      })}
      {isOpen && Popup ? (
        <Popup label={label} place={place} word={word}>
          {children}
        </Popup>
      ) : null}
    </>
  );
}

const loadPopup = () => import("@/components/parts/sentences/popup").then(({ Popup }) => Popup);

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
