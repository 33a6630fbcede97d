import { formatCents } from "@/lib/contract/format-cents";
import type { RuleAction } from "@/lib/contract/rules/action";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { findLimit, limitWords } from "@/lib/engine/words/limit-words";
import { percentWords } from "@/lib/engine/words/number-words";

/** What an action moves, in a few words for drawings and lists: `27%`, `the rest`, `30%, at most $6,000.00 a month`. */
export function actionWords(action: RuleAction, limits: RuleDefinition["limits"]): string {
  const limit = findLimit(limits, action.limitId);
  const orLess = action.upTo && isStrict(action.type) ? " or what is there" : "";
  const most = limit ? `, at most ${limitWords(limit)}` : "";
  return `${amountWords(action)}${orLess}${most}`;
}

/** The same in fewer letters: a limit is only mentioned. */
export function shortActionWords(action: RuleAction): string {
  return `${amountWords(action)}${action.limitId === null ? "" : ", within its limit"}`;
}

function amountWords(action: RuleAction): string {
  switch (action.type) {
    case "FIXED":
      return formatCents(action.amountInCents);
    case "PERCENTAGE":
      return action.of === "SOURCE_BALANCE"
        ? `${percentWords(action.percentage)} of the balance`
        : percentWords(action.percentage);
    case "TOP_UP":
      return `up to ${formatCents(action.amountInCents)}`;
    case "ROUND_DOWN":
      return `above a multiple of ${formatCents(action.amountInCents)}`;
    case "REMAINDER":
      return action.keepInCents === 0 ? "the rest" : `the rest above ${formatCents(action.keepInCents)}`;
    case "NEXT_PAYMENT_MINIMUM":
      return "the minimum payment";
    case "LAST_STATEMENT_BALANCE":
      return "the last statement";
    case "TOTAL_AMOUNT_DUE":
      return "all that is owed";
    case "PERCENTAGE_OF_LIABILITY":
      return `${percentWords(action.percentage)} of what is owed`;
    case "SNOWBALL":
      return `${formatCents(action.amountInCents)}, smallest debt first`;
    case "AVALANCHE":
      return `${formatCents(action.amountInCents)}, highest interest first`;
  }
}

/** Whether it fails, and ends the run, where the money is short; the others take what is there (`evaluate`). */
export function isStrict(type: RuleAction["type"]): boolean {
  return type !== "TOP_UP" && type !== "ROUND_DOWN" && type !== "REMAINDER";
}
