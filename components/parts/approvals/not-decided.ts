import type { BeginConfirmationResult } from "@/components/parts/approvals/decision-actions";
import { type DecisionNotice, notYet, plain, refused } from "@/components/parts/approvals/decision-notice";
import { formatClock } from "@/components/time/format-instant";
import type { DecideResult, Decision } from "@/lib/contract/confirmation/decision";
import type { TimeContext } from "@/lib/contract/time-context";

export type NotDecided =
  | Exclude<DecideResult, { kind: "DECIDED" }>
  | Exclude<BeginConfirmationResult, { kind: "BEGUN" }>;

/** The notice after an attempt that did not decide, or only signed. In none of these cases did money move. */
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
    case "SIGNED":
      return plain(`You have signed. It still waits for ${result.waitsFor}. Nothing has moved.`);
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
