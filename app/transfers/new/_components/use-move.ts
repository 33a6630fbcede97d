"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { refreshConnection } from "@/app/connections/[id]/actions";
import { begin, move } from "@/app/transfers/actions";
import { nothingSent, outcomeUnknown, whenThrown } from "@/components/act/answer-lost";
import { useAction } from "@/components/act/use-action";
import { useConfirmedAction } from "@/components/act/use-confirmed-action";
import type { MoveResult, MoveSubject } from "@/lib/contract/move";
import type { Refused } from "@/lib/contract/refused";
import type { MoveAccountView } from "@/lib/views/transfers/read-move-page";

/** The outcome of an attempt, as shown on the page. */
export interface MoveNotice {
  tone: "plain" | "red";
  text: string;
  lines: string[];
  /** The transfer that this page already created. */
  href: string | null;
  offersRecoveryCode: boolean;
}

// The request may have arrived, so this must not claim that nothing moved.
const UNKNOWN = outcomeUnknown(
  "we don’t know yet whether it moved. Try again: the same move never happens twice.",
);
const NOTHING_MOVED = nothingSent("Nothing moved. Try again.");

/**
 * One attempt to move money, from the button to the answer: confirm this exact draft as shown, and send both in one
 * request. The server checks everything again.
 * @param title names the move: `Move $52.74 from Operating to Profit`
 * @param onChanged the server found a difference to what was shown
 */
export function useMove(subject: MoveSubject | null, title: string, onChanged: () => void) {
  const moving = useConfirmedAction({
    begin: (draft: MoveSubject, shown) =>
      begin(draft, shown).catch((error: unknown) => whenThrown(error, NOTHING_MOVED)),
    act: (draft: MoveSubject, confirmation, shown) => move({ ...draft, confirmation }, shown),
    whenLost: UNKNOWN,
    // By the id of the draft, one draft moves once.
    isRepeatable: true,
    stepUp: { title, confirmLabel: "Move it" },
    onDone: ({ kind }) => {
      if (kind === "CHANGED") onChanged();
    },
    afterwards: (router, result) => {
      if (result.kind === "MOVED") router.push(result.href);
    },
  });
  const { result, message } = moving;
  // Confirms and sends the draft as it is now, whatever is typed in between.
  const start = (run: (draft: MoveSubject) => void) => {
    if (subject) run(subject);
  };
  return {
    notice: result ? noticeOf(result) : message ? refusalNotice(message) : null,
    isBusy: moving.isBusy,
    move: () => start(moving.run),
    moveWithRecoveryCode: () => start(moving.runWithRecoveryCode),
    forget: moving.forget,
  };
}

function refusalNotice(message: string): MoveNotice {
  const offersRecoveryCode = /passkey/i.test(message);
  return { tone: "red", text: message, lines: [], href: null, offersRecoveryCode };
}

function noticeOf(result: Exclude<MoveResult, Refused>): MoveNotice | null {
  const plain = { tone: "plain" as const, lines: [], href: null, offersRecoveryCode: false };
  switch (result.kind) {
    case "CHANGED":
      return { ...plain, text: "Nothing moved because something changed:", lines: result.changes };
    case "USED":
      return { ...plain, text: result.message, href: result.href };
    case "MOVED":
      return null;
  }
}

/** The worker starts within a moment, and a bank takes seconds to answer. */
const LOOK_EVERY_MS = 2_000;
const LOOKS_AT_MOST = 10;
const MAYBE_NOT_ASKED = outcomeUnknown("the balance may not be refreshing. Try again.");

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

  const requesting = useAction(
    ({ connectionId }: { id: string; connectionId: string }, shown) =>
      refreshConnection({ connectionId }, shown),
    {
      whenLost: MAYBE_NOT_ASKED,
      isRepeatable: true,
      onRefused: ({ message }, { id }) => setState({ kind: "SAID", accountId: id, message }),
      afterwards: null,
    },
  );
  const ask = ({ id, connectionId, balanceAt: before }: MoveAccountView) => {
    if (connectionId === null) return;
    setState({ kind: "ASKING", accountId: id, before });
    requesting.run({ id, connectionId });
  };

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
    ask: () => ask(source),
  };
}
