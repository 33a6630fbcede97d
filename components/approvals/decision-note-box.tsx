"use client";

import type { Blocked } from "@/components/approvals/blocked-because";
import type { DecisionNotice } from "@/components/approvals/decision-notice";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";

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
