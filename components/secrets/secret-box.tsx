"use client";

import { Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

interface SecretBoxProps {
  text: string;
  /** What it is called: a hook's is no key. */
  noun?: "key" | "secret";
  /** What to do when it is lost. */
  whenLost?: string;
  onCopied: () => void;
}

/** The text of a key, shown this once, with a way to take it along. */
export function SecretBox({
  text,
  noun = "key",
  whenLost = "Revoke this key and make a new one.",
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
      <div className="secret">
        <code>{text}</code>
        <Button kind="primary" onClick={copy}>
          <Copy className="ic" />
          {state === "COPIED" ? "Copied" : `Copy ${noun}`}
        </Button>
      </div>
      <p className="meta secret-n" role="status">
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
  /** What else belongs to it, below the text. */
  children?: ReactNode;
}

const stay = () => undefined;

/** A text that is shown this once: it closes only after it was copied, or somebody said that they have it. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, lede, text, noun, whenLost, closeLabel, onClose, children } = props;
  const [isCopied, setIsCopied] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  useLeaveGuard(!isCopied && !isSaved, stay);
  return (
    <Dialog title={title}>
      <p className="ink2 dialog-l">{lede}</p>
      <SecretBox text={text} noun={noun} whenLost={whenLost} onCopied={() => setIsCopied(true)} />
      {children}
      <p className="meta">
        <label className="check">
          <input
            className="box"
            type="checkbox"
            checked={isSaved}
            onChange={(event) => setIsSaved(event.target.checked)}
          />
          I have saved the {noun}
        </label>
      </p>
      <div className="btns">
        <Button kind="primary" disabled={!isSaved && !isCopied} onClick={onClose}>
          {closeLabel}
        </Button>
      </div>
    </Dialog>
  );
}

/**
 * Keeps a page from being left by mistake: the browser asks before it is closed or reloaded, and a press on a link of
 * the page is held back and reported instead.
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
      // Before the router hears of it.
      { signal, capture: true },
    );
    return () => stop.abort();
  }, [isOn, onHeldBack]);
}

interface LeaveDialogProps {
  noun: "key" | "secret";
  /** What being without it means. */
  consequence: string;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks once before a page is left on which something was shown for the only time. */
export function LeaveDialog({ noun, consequence, onLeave, onStay }: LeaveDialogProps) {
  return (
    <Dialog title={`You have not copied the ${noun}`} onCancel={onStay}>
      <p className="ink2 dialog-l">It is not shown again. {consequence}</p>
      <div className="btns">
        <Button kind="quiet" onClick={onLeave}>
          I saved it another way
        </Button>
        <Button kind="primary" onClick={onStay}>
          Back to the {noun}
        </Button>
      </div>
    </Dialog>
  );
}
