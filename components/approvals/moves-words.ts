import type { ApprovalView } from "@/lib/contract/views/approval-view";

/** When approved money moves: `Moves immediately`. Over a bank only the order goes, in the bank's next window. */
export function movesWords({ kind, settlesOver }: Pick<ApprovalView, "kind" | "settlesOver">): string {
  if (settlesOver === "BOOKS") return "Moves immediately";
  return kind === "TRANSFER" ? "Goes to the bank in its next window" : "Moves, some of it over the bank";
}
