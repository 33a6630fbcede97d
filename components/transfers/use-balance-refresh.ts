"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { MoveAccountView, MoveActions } from "@/lib/contract/views/move-view";

/** The worker asks the bank a moment after it was told to, and a bank takes seconds. */
const LOOK_EVERY_MS = 2_000;
const LOOKS_AT_MOST = 10;
const UNREACHABLE = "Sluice did not answer, so we do not know whether the bank is asked. Try again.";

type Refreshing =
  | { kind: "ASKING"; accountId: string; before: string | null }
  | { kind: "ANSWERED"; accountId: string }
  | { kind: "SAID"; accountId: string; message: string };

export interface BalanceRefresh {
  isAsking: boolean;
  /** The bank's answer to this refresh is what the page shows. */
  isAnswered: boolean;
  /** Why there is no answer. */
  message: string | null;
  ask: () => void;
}

/**
 * Asks the bank of an account outside for its balance, and looks until it has answered. The page shows what was known
 * before until then: no balance is ever guessed.
 * @param onAnswer the balance on the page is another one now
 * @returns null where there is no bank to ask
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
    if (result === null) say(UNREACHABLE);
    else if (result.kind === "REFUSED") say(result.message);
  }

  useEffect(() => {
    if (asking === null) return;
    let left = LOOKS_AT_MOST;
    const timer = setInterval(() => {
      left -= 1;
      if (left > 0) return router.refresh();
      const message = "Its bank has not answered yet. The balance is still the one from before.";
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
