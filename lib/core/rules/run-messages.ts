import { formatCents } from "@/lib/contract/format-cents";
import type { RulePlan, UnknownFact } from "@/lib/contract/rules/plan";
import type { AccountNames } from "@/lib/contract/views/rule-parts";

const UNKNOWN = {
  BALANCE: "balance",
  AVAILABLE_BALANCE: "available balance",
  NEXT_PAYMENT_MINIMUM: "minimum of the next payment",
  LAST_STATEMENT_BALANCE: "last statement balance",
} as const;

/** What a run waits for, in words. */
export function unknownWords({ fact, accountId }: UnknownFact, names: AccountNames): string {
  if (fact === "INCOMING_AMOUNT") return "The amount that arrived was not known.";
  return `The ${UNKNOWN[fact]} of ${nameOf(names, accountId)} was not known.`;
}

/** Why a plan ends before its end, in words; null where it does not. */
export function runErrorMessage(plan: RulePlan, names: AccountNames): string | null {
  const failed = plan.moves.find((move) => move.outcome === "FAILED");
  if (!failed) return null;
  const source = nameOf(names, failed.sourceAccountId);
  const wanted = `${formatCents(failed.amountInCents)} to ${nameOf(names, failed.destinationAccountId)}`;
  const rest = plan.actionsNotReached > 0 ? " What comes after it did not run." : "";
  const available = failed.caps.find((cap) => cap.kind === "AVAILABLE" || cap.kind === "FLOOR");
  const has = available ? ` It could give ${formatCents(available.atInCents)}.` : "";
  switch (failed.errorCode) {
    case "BELOW_FLOOR":
      return `${wanted} would have taken ${source} below its floor.${has}${rest}`;
    case "ACCOUNT_CLOSED":
      return `${wanted} could not move: one of the two accounts is closed.${rest}`;
    default:
      return `${source} did not have enough for ${wanted}.${has}${rest}`;
  }
}

function nameOf(names: AccountNames, accountId: string | null): string {
  return (accountId === null ? undefined : names[accountId]?.name) ?? "an account";
}
