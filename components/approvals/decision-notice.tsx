"use client";

import type { Blocked } from "@/components/approvals/check-sentence";
import { formatClock } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { BeginConfirmationResult, DecideResult, Decision } from "@/lib/contract/views/decision";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** What the reader is told after an attempt. */
export interface DecisionNotice {
  tone: "plain" | "red";
  text: string;
  /** One line each, under the text. */
  lines: string[];
  /** Offered where a recovery code may stand in for what did not work. */
  offersRecoveryCode?: boolean;
}

type NotDecided =
  | Exclude<DecideResult, { kind: "DECIDED" }>
  | Exclude<BeginConfirmationResult, { kind: "BEGUN" }>;

/** What to say when an attempt did not decide. None of these moved money. */
export function noticeOf(result: NotDecided, decision: Decision, time: TimeContext): DecisionNotice {
  switch (result.kind) {
    case "ALREADY_DECIDED":
      return plain(
        `${result.byName} ${result.decision === "APPROVED" ? "approved" : "denied"} this at ${formatClock(result.at, time)}.`,
      );
    case "CHANGED":
      return {
        tone: "plain",
        text: "Nothing was decided, because something changed:",
        lines: result.changes,
      };
    case "EXPIRED":
      return plain("The time was over before you decided. It counts as denied and nothing moved.");
    case "NOT_CONFIRMED":
      return { ...refused(`${notYet(decision)} ${result.message}`), offersRecoveryCode: true };
    case "WOULD_FAIL":
      return refused(`${notYet(decision)} ${result.message}`);
    case "REFUSED":
      // After an unexpected error, only the server could say that it was not decided.
      return refused(result.requestId ? result.message : `${notYet(decision)} ${result.message}`);
  }
}

/** The reader closed the prompt of their passkey. */
export function passkeyCancelled(decision: Decision): DecisionNotice {
  return { ...plain(`${notYet(decision)} Your passkey was cancelled.`), offersRecoveryCode: true };
}

/** The passkey itself failed: nothing reached the server. */
export function passkeyFailed(): DecisionNotice {
  return { ...refused("Your passkey did not work. Nothing moved. Try again."), offersRecoveryCode: true };
}

/** No answer while asking how to confirm: deciding had not begun. */
export function unreachable(decision: Decision): DecisionNotice {
  return refused(`${notYet(decision)} Sluice did not answer. Try again.`);
}

/** No answer after a decision was sent. Only the server could say that nothing moved, so this does not. */
export function unknownOutcome(): DecisionNotice {
  return refused("We do not know yet whether it was decided. Checking. It cannot move twice.");
}

/** Balances moved while the page was open, without changing the outcome of a check. */
export function balancesChanged(names: string[], clock: string): DecisionNotice {
  return plain(`${names.join(" and ")} changed. Numbers updated ${clock}.`);
}

function notYet(decision: Decision): string {
  return decision === "APPROVE" ? "Not approved." : "Not denied.";
}

function plain(text: string): DecisionNotice {
  return { tone: "plain", text, lines: [] };
}

function refused(text: string): DecisionNotice {
  return { tone: "red", text, lines: [] };
}

interface DecisionNoteBoxProps {
  notice: DecisionNotice | null;
  blockedBecause: Blocked | null;
  onRecoveryCode: () => void;
}

/** Why it cannot be approved, and what became of the last attempt; read out when it appears. */
export function DecisionNoteBox({ notice, blockedBecause, onRecoveryCode }: DecisionNoteBoxProps) {
  return (
    <div className="decide-n" role="status">
      {blockedBecause ? (
        <Note>
          <b>{blockedBecause.title}</b> {blockedBecause.text}
        </Note>
      ) : null}
      {notice ? (
        <Note tone={notice.tone}>
          <p>{notice.text}</p>
          {notice.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {notice.offersRecoveryCode ? (
            <Button kind="quiet" size="small" onClick={onRecoveryCode}>
              Use a recovery code
            </Button>
          ) : null}
        </Note>
      ) : null}
    </div>
  );
}
