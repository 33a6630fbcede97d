import { checkSentence } from "@/components/approvals/check-sentence";
import type { ApprovalView } from "@/lib/contract/views/approval-view";

/** Why this cannot be approved now, in one or more sentences; null when it can. */
export function blockedBecause(view: ApprovalView): string | null {
  if (view.areGatesClosed) return "All gates are closed. Open them to approve; denying works meanwhile.";
  const reasons = view.checks
    .filter(({ outcome }) => outcome === "BLOCKS")
    .map((check) => {
      const { title, keyName, text } = checkSentence(check, view);
      return `${title}. ${keyName ?? ""}${text}`;
    });
  return reasons.length > 0 ? reasons.join(" ") : null;
}
