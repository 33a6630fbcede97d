"use client";

import { useEffect, useState } from "react";
import { MoveChecks } from "@/components/transfers/move-checks";
import { type MoveFields, problemsOf, toDraft } from "@/components/transfers/move-draft";
import { MoveForm } from "@/components/transfers/move-form";
import { MoveOutcome } from "@/components/transfers/move-outcome";
import { MovePanel } from "@/components/transfers/move-panel";
import { useBalanceRefresh } from "@/components/transfers/use-balance-refresh";
import { useMove } from "@/components/transfers/use-move";
import { useMovePreview } from "@/components/transfers/use-move-preview";
import { splitCents } from "@/lib/contract/format-cents";
import type { MoveActions, MoveView } from "@/lib/contract/views/move-view";

/** The button waits this long after something changed, so that nobody confirms what they have not seen. */
const SETTLE_MS = 1_000;

/** One flow: what is typed is worked out by the server at once, and only that very answer can be confirmed. */
export function MoveMoney({ view, actions }: { view: MoveView; actions: MoveActions }) {
  // One draft for as long as the page is open: a refresh of the page's data must not make a second one of it.
  const [draftId] = useState(view.draftId);
  const [fields, setFields] = useState<MoveFields>(() => initialFields(view.prefill));
  const [revision, setRevision] = useState(0);
  const draft = toDraft(draftId, fields);
  const { current, shown, refusal } = useMovePreview(draft, actions.preview, revision);
  const lookAgain = () => setRevision((before) => before + 1);
  const isSettling = useSettling(revision, current !== null);
  const flow = useMove(draft && current ? { ...draft, digest: current.digest } : null, actions, lookAgain);
  useWhenSeenAgain(lookAgain);
  const source = view.accounts.find(({ id }) => id === shown?.source.id);
  const balanceRefresh = useBalanceRefresh(source, actions.refresh, lookAgain);

  const change = (changes: Partial<MoveFields>) => {
    flow.forget();
    setFields((before) => ({ ...before, ...changes }));
  };
  return (
    <div className="cols move">
      <div>
        <MoveForm
          accounts={view.accounts}
          fields={fields}
          problems={problemsOf(fields)}
          time={view.time}
          onChange={change}
        />
        {shown ? (
          <MoveOutcome preview={shown} accounts={view.accounts} isOld={current === null} />
        ) : (
          <p className="ink2 m-none">
            Choose an amount and both accounts, and this page says what will happen. Nothing moves before you
            confirm.
          </p>
        )}
      </div>
      <div className="side">
        <div className="side-in">
          <MovePanel
            areGatesClosed={view.areGatesClosed}
            viewer={view.viewer}
            current={current}
            shown={shown}
            refusal={refusal}
            isSettling={isSettling}
            flow={flow}
          />
          {shown ? <MoveChecks preview={shown} source={source} balanceRefresh={balanceRefresh} /> : null}
        </div>
      </div>
      {flow.dialog}
    </div>
  );
}

function initialFields({
  amountInCents,
  sourceAccountId,
  destinationAccountId,
}: MoveView["prefill"]): MoveFields {
  return {
    amount: amountInCents === null ? "" : plainAmount(amountInCents),
    sourceId: sourceAccountId ?? "",
    destinationId: destinationAccountId === sourceAccountId ? "" : (destinationAccountId ?? ""),
    label: "",
    note: "",
  };
}

/** `2,500.00`: the dollar sign stands before the field. */
function plainAmount(amountInCents: number): string {
  const { dollars, cents } = splitCents(amountInCents);
  return `${dollars.slice(1)}${cents}`;
}

/** True for a moment after the answer to a later revision has come. */
function useSettling(revision: number, isThere: boolean): boolean {
  const [settled, setSettled] = useState(0);
  useEffect(() => {
    if (settled === revision || !isThere) return;
    const timer = setTimeout(() => setSettled(revision), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [settled, revision, isThere]);
  return settled !== revision;
}

/** Balances may have moved while the page lay in the background. */
function useWhenSeenAgain(lookAgain: () => void): void {
  useEffect(() => {
    const onChange = () => {
      if (document.visibilityState === "visible") lookAgain();
    };
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  });
}
