import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { PlannedMove, SkipReason } from "@/lib/contract/rules/plan";

/** @returns null of a transfer that was not skipped */
export function skipReason(
  move: Pick<PlannedMove, "outcome" | "type" | "wantedInCents" | "caps">,
): SkipReason | null {
  if (move.outcome !== "SKIPPED") return null;
  if (move.wantedInCents >= MINIMUM_TRANSFER_IN_CENTS) {
    const cap = move.caps.find(({ atInCents }) => atInCents < MINIMUM_TRANSFER_IN_CENTS);
    if (cap?.kind === "LIMIT") return "LIMIT_USED_UP";
    return cap?.kind === "OWED" ? "NOTHING_DUE" : "NOTHING_THERE";
  }
  if (move.wantedInCents > 0) return "TOO_SMALL";
  switch (move.type) {
    case "TOP_UP":
      return "FULL";
    case "NEXT_PAYMENT_MINIMUM":
    case "LAST_STATEMENT_BALANCE":
    case "TOTAL_AMOUNT_DUE":
    case "PERCENTAGE_OF_LIABILITY":
      return "NOTHING_DUE";
    case "REMAINDER":
    case "ROUND_DOWN":
      return "NOTHING_THERE";
    default:
      return "NOTHING_ASKED";
  }
}
