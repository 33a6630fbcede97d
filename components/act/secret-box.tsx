"use client";

import { Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { SECRET_LINE } from "@/components/act/secret-line";
import { Button } from "@/components/ui/button";
import { DIALOG_BUTTONS } from "@/components/ui/button-row";
import { CHECKBOX, CHOICE_LABEL } from "@/components/ui/choice-class";
import { Dialog } from "@/components/ui/dialog";

interface SecretBoxProps {
  text: string;
  /** A rule hook has a secret, not a key. */
  noun?: "key" | "secret";
  whenLost?: string;
  onCopied: () => void;
}

/** A key or secret, shown once, with a copy button. */
export function SecretBox({
  text,
  noun = "key",
  whenLost = "Revoke this key and create a new one.",
  onCopied,
}: SecretBoxProps) {
  const [state, setState] = useState<"IDLE" | "COPIED" | "FAILED">("IDLE");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("COPIED");
      onCopied();
    } catch {
      setState("FAILED");
    }
  };
  return (
    <>
      <div
        className={`${SECRET_LINE} mt-8 in-[[aria-modal]]:mt-5 in-[[aria-modal]]:grid-cols-1 in-[[aria-modal]]:p-4`}
        data-secret
      >
        <code>{text}</code>
        <Button kind="primary" onClick={copy}>
          <Copy />
          {state === "COPIED" ? "Copied" : `Copy ${noun}`}
        </Button>
      </div>
      <p className="text-sm text-ink-3 mt-2.5" role="status">
        {state === "FAILED"
          ? `Could not copy. Select the ${noun} and copy it yourself.`
          : `Lost it later? ${whenLost} Keep it out of browsers and repositories.`}
      </p>
    </>
  );
}

interface SecretDialogProps {
  title: string;
  lede: string;
  text: string;
  noun: "key" | "secret";
  whenLost?: string;
  closeLabel: string;
  onClose: () => void;
  children?: ReactNode;
}

const stay = () => undefined;

/** A text shown once: closes only after copying, or after confirming that it was saved. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, lede, text, noun, whenLost, closeLabel, onClose, children } = props;
  const [isCopied, setIsCopied] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  useLeaveGuard(!isCopied && !isSaved, stay);
  return (
    <Dialog title={title}>
      <p className="mt-2 text-ink-2">{lede}</p>
      <SecretBox text={text} noun={noun} whenLost={whenLost} onCopied={() => setIsCopied(true)} />
      {children}
      <p className="mt-3.5 text-sm text-ink-3">
        <label className={CHOICE_LABEL}>
          <input
            className={CHECKBOX}
            type="checkbox"
            checked={isSaved}
            onChange={(event) => setIsSaved(event.target.checked)}
          />
          I saved the {noun}
        </label>
      </p>
      <div className={DIALOG_BUTTONS}>
        <Button kind="primary" disabled={!isSaved && !isCopied} onClick={onClose}>
          {closeLabel}
        </Button>
      </div>
    </Dialog>
  );
}

/**
 * Guards against leaving by mistake: the browser asks before closing or reloading, and clicks on links are intercepted.
 */
export function useLeaveGuard(isOn: boolean, onHeldBack: (href: string) => void): void {
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener("beforeunload", (event) => event.preventDefault(), { signal });
    document.addEventListener(
      "click",
      (event) => {
        const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
        const href = link?.getAttribute("href");
        if (
          !href ||
          href.startsWith("#") ||
          event.ctrlKey ||
          event.metaKey ||
          link?.getAttribute("target") === "_blank"
        )
          return;
        event.preventDefault();
        event.stopPropagation();
        onHeldBack(href);
      },
      // Captures before the router.
      { signal, capture: true },
    );
    return () => stop.abort();
  }, [isOn, onHeldBack]);
}
