import type { ActionType } from "@/lib/contract/rules/draft";
import type { EditorAccountView } from "@/lib/contract/views/rule-editor-view";

const PAYS_DEBTS: ReadonlySet<ActionType> = new Set([
  "NEXT_PAYMENT_MINIMUM",
  "LAST_STATEMENT_BALANCE",
  "TOTAL_AMOUNT_DUE",
  "PERCENTAGE_OF_LIABILITY",
  "SNOWBALL",
  "AVALANCHE",
]);

/** Whether money of this kind of action can go to this account. */
export function takes(type: ActionType, { kind }: Pick<EditorAccountView, "kind">): boolean {
  if (PAYS_DEBTS.has(type)) return kind === "LIABILITY";
  // Money enters at an income source; and a debt that is filled up would grow.
  return kind !== "INCOME_SOURCE" && !(type === "TOP_UP" && kind === "LIABILITY");
}
