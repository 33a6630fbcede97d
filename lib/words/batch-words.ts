import type { CheckView } from "@/lib/contract/approvals/approval";

/** Flags of a line that the checks of its batch count in rows of their own. */
export const COUNTED_FLAGS = {
  NEW_PAYEE: "New payee",
  CHANGED_PAYEE: "Changed payee",
  KEY_LIMIT: "Above the key’s limit",
  DUPLICATE: "Possible duplicate",
} as const;

/** What to look at on one line of a batch, in two or three words; null: nothing. */
export function lineFlag(check: CheckView): string | null {
  if (check.outcome === "CLEAR" || check.outcome === "UNCHECKED") return null;
  switch (check.kind) {
    case "PAYEE":
      return payeeFlag(check);
    case "KEY_LIMIT":
      return COUNTED_FLAGS.KEY_LIMIT;
    case "ASSISTANT_MAY_ASK":
      return "Assistant may not ask";
    case "KNOWN_ROUTE":
      return "New route";
    case "SIMILAR_LATELY":
      return check.sameAmountCount > 0 ? COUNTED_FLAGS.DUPLICATE : "Similar in 24 hours";
    case "USUAL_AMOUNT":
      return check.timesMedian >= 1 ? "More than usual" : "Less than usual";
    case "EXTERNAL_ID":
      return "Repeated externalId";
    case "LOOK_ALIKE":
      return "Name looks alike";
    default:
      return null;
  }
}

function payeeFlag({ payees }: Extract<CheckView, { kind: "PAYEE" }>): string {
  if (payees.some(({ novelty }) => novelty === "FIRST")) return COUNTED_FLAGS.NEW_PAYEE;
  if (payees.some(({ novelty }) => novelty === "CHANGED")) return COUNTED_FLAGS.CHANGED_PAYEE;
  return "Payee cools off";
}
