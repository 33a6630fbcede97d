import { checkSentence } from "@/components/approvals/check-sentence";
import type { ApprovalView } from "@/lib/contract/views/approval-view";

/** Why something cannot be approved now, in one or more sentences. */
export interface Blocked {
  title: "Not now." | "It would fail.";
  text: string;
}

/** Null when it can be approved. */
export function blockedBecause(view: ApprovalView): Blocked | null {
  if (view.areGatesClosed) {
    return {
      title: "Not now.",
      text: "All gates are closed. Open them to approve; denying works meanwhile.",
    };
  }
  const reasons = view.checks
    .filter(({ outcome }) => outcome === "BLOCKS")
    .map((check) => {
      const { title, keyName, text } = checkSentence(check, view);
      return `${title}. ${keyName ?? ""}${text}`;
    });
  return reasons.length > 0 ? { title: "It would fail.", text: reasons.join(" ") } : null;
}
