"use client";

import { RefusalNote } from "@/components/act/refusal-note";
import { Note } from "@/components/ui/note";

interface Signing {
  result: { kind: string; changes?: readonly string[] } | null;
  message: string | null;
  runWithRecoveryCode: () => void;
}

interface SigningNoticesProps {
  confirming: Signing;
  /** What ends it instead: its refusal is shown in the same place. */
  ending: { message: string | null };
  hasPasskey: boolean;
}

/** Why a signature did not count: a refusal, or that what was shown has changed. */
export function SigningNotices({ confirming, ending, hasPasskey }: SigningNoticesProps) {
  const { result } = confirming;
  const changes = result?.kind === "CHANGED" ? (result.changes ?? []) : [];
  const message = confirming.message ?? ending.message;
  if (message === null && changes.length === 0) return null;
  return (
    <div className="mb-3.5 grid gap-2">
      <RefusalNote
        message={message}
        onRecoveryCode={hasPasskey && confirming.message ? () => confirming.runWithRecoveryCode() : null}
      />
      {changes.length > 0 ? <Note tone="red">{changes.join(" ")} Nothing was signed.</Note> : null}
    </div>
  );
}
