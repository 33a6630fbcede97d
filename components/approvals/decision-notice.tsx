"use client";

import { nothingSent } from "@/components/actions/answer-lost";
import type { Blocked } from "@/components/approvals/check-sentence";
import { formatClock } from "@/components/time/format-instant";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { BeginConfirmationResult, DecideResult, Decision } from "@/lib/contract/views/decision";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** What the page shows after an attempt. */
export interface DecisionNotice {
  tone: "plain" | "red";
  text: string;
  /** One line each, below the text. */
  lines: string[];
  /** Whether a recovery code can replace the factor that failed. */
  offersRecoveryCode?: boolean;
}

type NotDecided =
  | Exclude<DecideResult, { kind: "DECIDED" }>
  | Exclude<BeginConfirmationResult, { kind: "BEGUN" }>;

/** The notice after an attempt that did not decide. In none of these cases did money move. */
export function noticeOf(result: NotDecided, decision: Decision, time: TimeContext): DecisionNotice {
  switch (result.kind) {
    case "ALREADY_DECIDED":
      return plain(
        `${result.byName} ${result.decision === "APPROVED" ? "approved" : "denied"} this at ${formatClock(result.at, time)}.`,
      );
    case "CHANGED":
      return {
        tone: "plain",
        text: "Nothing was decided because something changed:",
        lines: result.changes,
      };
    case "EXPIRED":
      return plain("It expired before you decided. It counts as denied, and nothing moved.");
    case "NOT_CONFIRMED":
      return { ...refused(`${notYet(decision)} ${result.message}`), offersRecoveryCode: true };
    case "WOULD_FAIL":
      return refused(`${notYet(decision)} ${result.message}`);
    case "REFUSED":
      // After an unexpected error, only the server could say that it was not decided.
      return refused(result.requestId ? result.message : `${notYet(decision)} ${result.message}`);
  }
}

/** The user dismissed the passkey prompt. */
export function passkeyCancelled(decision: Decision): DecisionNotice {
  return { ...plain(`${notYet(decision)} Your passkey was canceled.`), offersRecoveryCode: true };
}

/** The passkey failed in the browser; nothing reached the server. */
export function passkeyFailed(): DecisionNotice {
  return { ...refused("Your passkey did not work. Nothing moved. Try again."), offersRecoveryCode: true };
}

/** No answer while asking how to confirm; the decision had not been sent. */
export function unreachable(decision: Decision): DecisionNotice {
  return refused(`${notYet(decision)} ${nothingSent("Try again.").message}`);
}

/** The decision was sent but its answer was lost, so this must not claim that nothing moved. */
export function unknownOutcome(): DecisionNotice {
  return refused("Checking whether your decision arrived. It can’t move twice.");
}

/** Balances changed while the page was open, but no check's outcome did. */
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

/** Why it cannot be approved, and the outcome of the last attempt; announced to screen readers. */
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
