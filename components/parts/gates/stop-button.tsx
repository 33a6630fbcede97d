"use client";

import { type ReactNode, useActionState, useCallback, useEffect, useId, useState } from "react";
import { outcomeUnknown, whenThrown } from "@/components/act/answer-lost";
import type { GatesActions } from "@/components/parts/gates/gates-actions";
import { SHOWN_FIELD } from "@/lib/contract/shown";

const UNKNOWN = outcomeUnknown("the gates may not be closed. Press again.");

interface StopButtonProps {
  shown: string;
  closeGates: GatesActions["closeGates"];
  hasShortcut: boolean;
  classNames: { form: string; button: string; hint: string };
  icon: ReactNode;
  hint: string;
}

/** A form, so that it works without scripts; without `useAction`, so that the approval page stays small. */
export function StopButton({ shown, closeGates, hasShortcut, classNames, icon, hint }: StopButtonProps) {
  const hintId = useId();
  const [sent, send] = useActionState(closeGates, null);
  const [isBusy, setIsBusy] = useState(false);
  const [answered, setAnswered] = useState<string | null>(null);
  const problem = answered ?? (sent?.kind === "REFUSED" ? sent.message : null);

  const close = useCallback(async () => {
    setIsBusy(true);
    setAnswered(null);
    const answer = await closeGates(null, new FormData()).catch((error: unknown) =>
      whenThrown(error, UNKNOWN),
    );
    setIsBusy(false);
    if (answer.kind === "REFUSED") return setAnswered(answer.message);
    // A fresh document: cached pages would still show open gates.
    window.location.assign("/gates");
  }, [closeGates]);

  useEffect(() => {
    if (!hasShortcut) return;
    const listen = (event: KeyboardEvent) => {
      const isOurs = (event.metaKey || event.ctrlKey) && event.shiftKey && event.key.toLowerCase() === "x";
      if (!isOurs || event.repeat) return;
      event.preventDefault();
      void close();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [close, hasShortcut]);

  return (
    <>
      <form
        className={classNames.form}
        action={send}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void close();
        }}
      >
        <input type="hidden" name={SHOWN_FIELD} value={shown} />
        <button
          className={classNames.button}
          type="submit"
          aria-describedby={hintId}
          aria-keyshortcuts="Meta+Shift+X Control+Shift+X"
          aria-disabled={isBusy || undefined}
        >
          {icon}
          <span>{isBusy ? "Closing" : "Close all gates"}</span>
        </button>
        {/* Shown while pressed too: a finger that slides off closes nothing. */}
        <span className={classNames.hint} id={hintId} role="tooltip">
          {hint}
        </span>
      </form>
      {problem === null ? null : (
        <p className="mx-2 mt-0 mb-2 text-sm text-red" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
