"use client";

import { useActionState, useCallback, useEffect, useId, useState } from "react";
import { outcomeUnknown } from "@/components/actions/answer-lost";
import { GateClosedIcon } from "@/components/ui/icons";
import { decidesMoney } from "@/lib/contract/members";
import { SHOWN_FIELD } from "@/lib/contract/shown";
import type { GatesActions } from "@/lib/contract/views/gates-view";
import type { ShellView } from "@/lib/contract/views/shell-view";

interface StopGatesProps {
  view: Pick<ShellView, "closedGates" | "user" | "shown">;
  closeGates: GatesActions["closeGates"];
  /** `page`: the shell's own button already listens to the keyboard. */
  place: "rail" | "topbar" | "page";
}

/** Cards are not what people think of at a gate, so the label names them before the press ends. */
const WHAT_STOPS =
  "Stops keys, assistants, rules and transfers not yet sent. Card purchases are declined. Everything stays stopped until an owner or co-owner opens the gates.";

/** Above the button in the rail, below it elsewhere; on phones across the window, where the button is at an edge. */
const ON_PHONES = "max-[760px]:fixed max-[760px]:inset-x-4 max-[760px]:top-16 max-[760px]:w-auto";
const HINT_PLACE = {
  rail: `bottom-full left-0 mb-1 max-[760px]:bottom-auto max-[760px]:mb-0 ${ON_PHONES}`,
  topbar: `top-full right-0 mt-2 max-[760px]:mt-0 ${ON_PHONES}`,
  page: "top-full left-0 mt-2",
};

const UNKNOWN = outcomeUnknown("the gates may not be closed. Press again.");

/**
 * Stops everything with one tap and no confirmation, from every page, and by ⌘⇧X whatever has the focus. Other roles
 * only see whether the gates are closed.
 */
export function StopGates({ view, closeGates, place }: StopGatesProps) {
  const { closedGates, user } = view;
  if (closedGates) {
    return (
      // A plain link, for pages with minimal scripts.
      <a className="stop is-shut" href="/gates">
        <GateClosedIcon />
        <span>Gates are closed</span>
      </a>
    );
  }
  return decidesMoney(user.role) ? (
    <StopButton shown={view.shown} closeGates={closeGates} place={place} />
  ) : null;
}

interface StopButtonProps extends Pick<StopGatesProps, "closeGates" | "place"> {
  shown: string;
}

/** A form, so that it works without scripts; without `useAction`, so that the approval page stays small. */
function StopButton({ shown, closeGates, place }: StopButtonProps) {
  const hintId = useId();
  const [sent, send] = useActionState(closeGates, null);
  const [isBusy, setIsBusy] = useState(false);
  const [answered, setAnswered] = useState<string | null>(null);
  const problem = answered ?? (sent?.kind === "REFUSED" ? sent.message : null);

  const close = useCallback(async () => {
    setIsBusy(true);
    setAnswered(null);
    const answer = await closeGates(null, new FormData()).catch(() => UNKNOWN);
    setIsBusy(false);
    if (answer.kind === "REFUSED") return setAnswered(answer.message);
    // A fresh document: cached pages would still show open gates.
    window.location.assign("/gates");
  }, [closeGates]);

  useEffect(() => {
    if (place === "page") return;
    const listen = (event: KeyboardEvent) => {
      const isOurs = (event.metaKey || event.ctrlKey) && event.shiftKey && event.key.toLowerCase() === "x";
      if (!isOurs || event.repeat) return;
      event.preventDefault();
      void close();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [close, place]);

  return (
    <>
      <form
        className="stop-f"
        action={send}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void close();
        }}
      >
        <input type="hidden" name={SHOWN_FIELD} value={shown} />
        <button
          className="peer stop"
          type="submit"
          aria-describedby={hintId}
          aria-keyshortcuts="Meta+Shift+X Control+Shift+X"
          aria-disabled={isBusy || undefined}
        >
          <GateClosedIcon />
          <span>{isBusy ? "Closing" : "Close all gates"}</span>
        </button>
        {/* Shown while pressed too: a finger that slides off closes nothing. */}
        <span
          className={`pointer-events-none invisible absolute z-10 w-60 rounded-lg border border-rule-strong bg-surface p-3 text-left text-sm whitespace-normal text-ink shadow-float peer-hover:visible peer-focus-visible:visible peer-active:visible ${HINT_PLACE[place]}`}
          id={hintId}
          role="tooltip"
        >
          {WHAT_STOPS}
        </span>
      </form>
      {problem === null ? null : (
        <p className="stop-e" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
