"use client";

import type { ReactNode } from "react";
import { nothingSent, whenThrown } from "@/components/act/answer-lost";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { Decision } from "@/lib/contract/confirmation/decision";

const HAS_SIGNED = "You have signed.";

/** Why it cannot be approved now, in one or more sentences. */
export interface Blocked {
  title:
    | "Not now."
    | "It would fail."
    | typeof HAS_SIGNED
    | "You may not sign."
    | "Every line is struck out.";
  text: string;
}

/** Who has signed can withdraw that, and sign nothing more. */
export const hasSigned = (blocked: Blocked | null) => blocked?.title === HAS_SIGNED;

/** What the page shows after an attempt. */
export interface DecisionNotice {
  tone: "plain" | "red";
  text: string;
  /** One line each, below the text. */
  lines: string[];
  /** Whether a recovery code can replace the factor that failed. */
  offersRecoveryCode?: boolean;
}

/** The user dismissed the passkey prompt. */
export function passkeyCancelled(decision: Decision): DecisionNotice {
  return { ...plain(`${notYet(decision)} Your passkey was canceled.`), offersRecoveryCode: true };
}

/** The passkey failed in the browser; nothing reached the server. */
export function passkeyFailed(): DecisionNotice {
  return { ...refused("Your passkey did not work. Nothing moved. Try again."), offersRecoveryCode: true };
}

/** No answer, or that of another build, while asking how to confirm; the decision had not been sent. */
export function unreachable(decision: Decision, error: unknown): DecisionNotice {
  return refused(`${notYet(decision)} ${whenThrown(error, nothingSent("Try again.")).message}`);
}

/** The decision was sent but its answer was lost, so this must not claim that nothing moved. */
export function unknownOutcome(): DecisionNotice {
  return refused("Checking whether your decision arrived. It can’t move twice.");
}

/** Balances changed while the page was open, but no check's outcome did. */
export function balancesChanged(names: string[], clock: string): DecisionNotice {
  return plain(`${names.join(" and ")} changed. Numbers updated ${clock}.`);
}

export function notYet(decision: Decision): string {
  return decision === "APPROVE" ? "Not approved." : "Not denied.";
}

export function plain(text: string): DecisionNotice {
  return { tone: "plain", text, lines: [] };
}

export function refused(text: string): DecisionNotice {
  return { tone: "red", text, lines: [] };
}

interface DecisionNoteBoxProps {
  place: "panel" | "bar";
  notice: DecisionNotice | null;
  blockedBecause: Blocked | null;
  onRecoveryCode: () => void;
}

/** Why it cannot be approved, and the outcome of the last attempt; announced to screen readers. */
export function DecisionNoteBox({ place, notice, blockedBecause, onRecoveryCode }: DecisionNoteBoxProps) {
  return (
    <NoteBox place={place}>
      {blockedBecause && !(notice && hasSigned(blockedBecause)) ? (
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
            <p className="-ml-2.5 mt-1">
              <Button kind="quiet" size="small" onClick={onRecoveryCode}>
                Use a recovery code
              </Button>
            </p>
          ) : null}
        </Note>
      ) : null}
    </NoteBox>
  );
}

const BOX_PLACE = {
  panel: "mb-4",
  bar: "col-span-full max-h-[40vh] overflow-y-auto",
};

/** Takes no room while there is nothing to say, and is announced by screen readers when there is. */
export function NoteBox({ place, children }: { place: "panel" | "bar"; children: ReactNode }) {
  return (
    <div
      className={`grid gap-2 empty:hidden [&_button]:mt-1 [&_button]:-ml-2.5 ${BOX_PLACE[place]}`}
      role="status"
    >
      {children}
    </div>
  );
}
