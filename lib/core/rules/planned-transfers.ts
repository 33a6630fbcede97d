import { bankingDayAt } from "@/lib/contract/banking-days";
import type { AccountFacts, RuleFacts } from "@/lib/contract/rules/facts";
import type { PlannedMove, RulePlan } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { TransferDirection } from "@/lib/contract/transfer";
import { newId } from "@/lib/platform/ids";

/** A transfer of a plan as the database writes it, including one that failed and ended the run. */
export interface PlannedTransfer {
  id: string;
  /** Of its entry, if it is booked at once. */
  entryId: string;
  direction: TransferDirection;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  description: string | null;
  limitId: string | null;
  errorCode: PlannedMove["errorCode"];
  /** Null over ACH, where the bank supplies it when it accepts the order. */
  expectedCompletionDate: string | null;
}

/**
 * The transfers of a plan, in order, without skipped moves.
 * @param now business time
 */
export function plannedTransfers(
  plan: RulePlan,
  definition: Pick<RuleDefinition, "steps">,
  facts: RuleFacts,
  now: Date,
): PlannedTransfer[] {
  const actions = plan.stepIndexMatched === null ? [] : definition.steps[plan.stepIndexMatched]?.actions;
  return plan.moves
    .filter((move) => move.outcome !== "SKIPPED")
    .map((move) => {
      const direction = directionOf(
        facts.accounts[move.sourceAccountId],
        facts.accounts[move.destinationAccountId],
      );
      return {
        id: newId(now),
        entryId: newId(now),
        direction,
        sourceAccountId: move.sourceAccountId,
        destinationAccountId: move.destinationAccountId,
        amountInCents: move.amountInCents,
        description: move.description,
        limitId: actions?.[move.actionIndex]?.limitId ?? null,
        errorCode: move.errorCode,
        expectedCompletionDate: direction === "INTERNAL" ? bankingDayAt(now) : null,
      };
    });
}

/** Two outside accounts do not occur: `checkDefinition` refuses such rules. */
function directionOf(
  source: AccountFacts | undefined,
  destination: AccountFacts | undefined,
): TransferDirection {
  if (source?.type === "EXTERNAL_ACCOUNT") return "MONEY_IN";
  return destination?.type === "EXTERNAL_ACCOUNT" ? "MONEY_OUT" : "INTERNAL";
}

/** Skipped transfers count as attempted (specification, Part 2). */
export function planCounters(plan: RulePlan) {
  return {
    stepIndexMatched: plan.stepIndexMatched,
    conditionsNotMet: plan.stepIndexMatched === null,
    transfersAttempted: plan.moves.length,
  };
}
