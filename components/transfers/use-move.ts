"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { useStepUp } from "@/components/auth/use-step-up";
import type { MoveSubject } from "@/lib/contract/move";
import type { Refused } from "@/lib/contract/refused";
import type { Confirmation } from "@/lib/contract/views/decision";
import type { MoveAccountView, MoveActions, MoveResult } from "@/lib/contract/views/move-view";

/** The outcome of an attempt, as shown on the page. */
export interface MoveNotice {
  tone: "plain" | "red";
  text: string;
  lines: string[];
  /** The transfer that this page already created. */
  href: string | null;
  offersRecoveryCode: boolean;
}

type Proof = { kind: "DONE" } | Refused;

// The request may have arrived, so this must not claim that nothing moved.
const UNKNOWN =
  "Sluice did not answer, so we don’t know yet whether it moved. Try again: the same move never happens twice.";
const UNREACHABLE = "Sluice did not answer. Nothing moved. Try again.";

/**
 * One attempt to move money, from the button to the answer: confirm this exact draft as shown, and send both in one
 * request. The server checks everything again.
 * @param onChanged the server found a difference to what was shown
 */
export function useMove(subject: MoveSubject | null, actions: MoveActions, onChanged: () => void) {
  const router = useRouter();
  const [notice, setNotice] = useState<MoveNotice | null>(null);
  const [isBusy, start] = useTransition();
  const outcome = useRef<MoveResult | null>(null);
  // Confirms and sends the same draft, whatever is typed in between.
  const attempted = useRef<MoveSubject | null>(null);

  async function begin() {
    if (attempted.current === null) return { kind: "REFUSED" as const, message: UNREACHABLE };
    const begun = await actions
      .begin(attempted.current)
      .catch(() => ({ kind: "REFUSED" as const, message: UNREACHABLE }));
    if (begun.kind === "BEGUN" || begun.kind === "REFUSED") return begun;
    // This draft was confirmed before; `conclude` shows its outcome.
    outcome.current = begun;
    return { kind: "REFUSED" as const, message: UNREACHABLE };
  }

  async function send(confirmation: Confirmation): Promise<Proof> {
    if (attempted.current === null) return { kind: "REFUSED", message: UNREACHABLE };
    const result = await actions
      .move({ ...attempted.current, confirmation })
      .catch((): MoveResult => ({ kind: "REFUSED", message: UNKNOWN }));
    // A wrong password is shown in the dialog; everything else on the page.
    if (result.kind === "REFUSED") return result;
    outcome.current = result;
    return { kind: "DONE" };
  }

  const stepUp = useStepUp(
    { beginPresence: begin, confirmPresence: send },
    { title: "Confirm that it is you", confirmLabel: "Move it" },
  );

  async function attempt(prove: () => Promise<Proof>): Promise<void> {
    setNotice(null);
    outcome.current = null;
    attempted.current = subject;
    const proof = await prove();
    // After a recent sign-in no confirmation was asked, so nothing was sent yet.
    const sent = proof.kind === "DONE" && outcome.current === null ? await send({ kind: "NONE" }) : proof;
    conclude(sent);
  }

  function conclude(proof: Proof): void {
    const result = outcome.current;
    if (result === null) {
      if (proof.kind === "REFUSED") setNotice(refusalNotice(proof.message));
      return;
    }
    if (result.kind === "MOVED") {
      router.push(result.href);
      return;
    }
    if (result.kind === "CHANGED") onChanged();
    setNotice(noticeOf(result));
  }

  return {
    notice,
    isBusy,
    dialog: stepUp.dialog,
    move: () => start(() => attempt(stepUp.prove)),
    moveWithRecoveryCode: () => start(() => attempt(stepUp.proveWithRecoveryCode)),
    forget: () => setNotice(null),
  };
}

function refusalNotice(message: string): MoveNotice {
  const offersRecoveryCode = /passkey/i.test(message);
  return { tone: "red", text: message, lines: [], href: null, offersRecoveryCode };
}

function noticeOf(result: Exclude<MoveResult, { kind: "MOVED" }>): MoveNotice {
  const plain = { tone: "plain" as const, lines: [], href: null, offersRecoveryCode: false };
  switch (result.kind) {
    case "CHANGED":
      return { ...plain, text: "Nothing moved because something changed:", lines: result.changes };
    case "USED":
      return { ...plain, text: result.message, href: result.href };
    case "REFUSED":
      return refusalNotice(result.message);
  }
}

/** The worker starts within a moment, and a bank takes seconds to answer. */
const LOOK_EVERY_MS = 2_000;
const LOOKS_AT_MOST = 10;
const NOT_ASKED = "Sluice did not answer, so the balance may not be refreshing. Try again.";

type Refreshing =
  | { kind: "ASKING"; accountId: string; before: string | null }
  | { kind: "ANSWERED"; accountId: string }
  | { kind: "SAID"; accountId: string; message: string };

export interface BalanceRefresh {
  isAsking: boolean;
  /** The page shows the bank's answer to this refresh. */
  isAnswered: boolean;

  message: string | null;
  ask: () => void;
}

/**
 * Asks an outside account's bank for its balance and polls for the answer. Until then the page shows the last known
 * balance; none is ever guessed.
 * @param onAnswer called when the balance on the page is out of date
 * @returns null without a bank to ask
 */
export function useBalanceRefresh(
  source: MoveAccountView | undefined,
  refresh: MoveActions["refresh"],
  onAnswer: () => void,
): BalanceRefresh | null {
  const router = useRouter();
  const [state, setState] = useState<Refreshing | null>(null);
  const answered = useRef(onAnswer);
  answered.current = onAnswer;
  const asking = state?.kind === "ASKING" && state.accountId === source?.id ? state : null;
  const balanceAt = source?.balanceAt ?? null;

  useEffect(() => {
    if (asking === null || asking.before === balanceAt) return;
    setState({ kind: "ANSWERED", accountId: asking.accountId });
    answered.current();
  }, [asking, balanceAt]);

  async function ask({ id, connectionId, balanceAt: before }: MoveAccountView): Promise<void> {
    if (connectionId === null) return;
    const say = (message: string) => setState({ kind: "SAID", accountId: id, message });
    setState({ kind: "ASKING", accountId: id, before });
    const result = await refresh(connectionId).catch(() => null);
    if (result === null) say(NOT_ASKED);
    else if (result.kind === "REFUSED") say(result.message);
  }

  useEffect(() => {
    if (asking === null) return;
    let left = LOOKS_AT_MOST;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) return router.refresh();
      const message = "The bank has not answered yet. The balance shown is from before.";
      setState({ kind: "SAID", accountId: asking.accountId, message });
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [asking, router]);

  if (!source || source.connectionId === null) return null;
  const own = state?.accountId === source.id ? state : null;
  return {
    isAsking: own?.kind === "ASKING",
    isAnswered: own?.kind === "ANSWERED",
    message: own?.kind === "SAID" ? own.message : null,
    ask: () => void ask(source),
  };
}
