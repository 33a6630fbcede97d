"use client";

import { useCallback, useEffect, useState } from "react";
import { GateClosedIcon } from "@/components/ui/icons";
import { decidesMoney } from "@/lib/contract/decides-money";
import type { GatesActions } from "@/lib/contract/views/gates-view";
import type { ShellView } from "@/lib/contract/views/shell-view";

interface StopGatesProps {
  view: Pick<ShellView, "closedGates" | "user">;
  closeGates: GatesActions["closeGates"];
  /** `page`: beside another one of the shell, so it does not listen to the keyboard again. */
  place?: "shell" | "page";
}

const UNKNOWN = "Sluice did not answer. We do not know whether the gates are closed. Press again.";

/**
 * The one act that stops everything: one tap, no question, from every page, and by ⌘⇧X whatever has the focus. Those who
 * may not close see only whether they are closed.
 */
export function StopGates({ view, closeGates, place = "shell" }: StopGatesProps) {
  const { closedGates, user } = view;
  if (closedGates) {
    return (
      // Plain, for the pages that ship as little script as they can.
      <a className="stop is-shut" href="/gates">
        <GateClosedIcon />
        <span>Gates are closed</span>
      </a>
    );
  }
  return decidesMoney(user.role) ? <StopButton closeGates={closeGates} place={place} /> : null;
}

function StopButton({ closeGates, place }: Required<Pick<StopGatesProps, "closeGates" | "place">>) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const close = useCallback(async () => {
    setIsBusy(true);
    setProblem(null);
    const answer = await closeGates().catch(() => ({ kind: "REFUSED" as const, message: UNKNOWN }));
    setIsBusy(false);
    if (answer.kind === "REFUSED") return setProblem(answer.message);
    // A fresh document: every page that was kept shows gates that were open.
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
      <button
        className="stop"
        type="button"
        title="Stops keys, assistants, rules, cards and unsubmitted transfers at once"
        aria-keyshortcuts="Meta+Shift+X Control+Shift+X"
        aria-disabled={isBusy || undefined}
        onClick={isBusy ? undefined : () => void close()}
      >
        <GateClosedIcon />
        <span>{isBusy ? "Closing" : "Close all gates"}</span>
      </button>
      {problem === null ? null : (
        <p className="stop-e" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
