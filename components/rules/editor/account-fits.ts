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
  return !PAYS_DEBTS.has(type) || kind === "LIABILITY";
}
