import type { RuleExecutionStatus, TriggerRuleBody } from "@/lib/contract/rules/execution";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan } from "@/lib/contract/rules/plan";
import type { RuleToRun } from "@/lib/core/rules/find-rule-to-run";
import { namesOf } from "@/lib/core/rules/names-of";
import { type PlannedTransfer, planCounters, plannedTransfers } from "@/lib/core/rules/planned-transfers";
import { readRuleFacts } from "@/lib/core/rules/read-rule-facts";
import type { Context } from "@/lib/core/shared/context";
import { evaluate } from "@/lib/engine/evaluate";
import { isArrival, type SimulatedBase, simulatedBase, withBase } from "@/lib/engine/run-facts";
import { runErrorMessage, unknownWords } from "@/lib/engine/words/trace-words";
import type { Services } from "@/lib/platform/services";

/** A dry run as it came out. */
export interface DryRun {
  id: string;
  ruleId: string;
  ruleName: string;
  ruleVersion: number;
  status: Extract<RuleExecutionStatus, "EXECUTED" | "PARTIAL" | "FAILED">;
  base: SimulatedBase;
  facts: RuleFacts;
  plan: RulePlan | null;
  stepIndexMatched: number | null;
  conditionsNotMet: boolean;
  transfersAttempted: number;
  errorMessage: string | null;
  transfers: PlannedTransfer[];
}

/**
 * Works a dry run out from the real facts and the caller's base (specification, Part 4, "Trigger rules" 2).
 * @param approvalRequired of the live run that it stands for: what a person approves may go below a floor
 */
export async function workOutDryRun(
  services: Pick<Services, "pool">,
  context: Context,
  rule: RuleToRun,
  executionId: string,
  body: TriggerRuleBody,
  approvalRequired: boolean,
): Promise<DryRun> {
  const base = simulatedBase(rule.definition.trigger, {
    executeAmountInCents: body.executeAmount,
    simulatedSourceBalanceInCents: body.simulatedSourceBalance,
    simulatedIncomingFundsInCents: body.simulatedIncomingFunds,
  });
  const where = { organizationId: context.organizationId, now: context.now, timeZone: rule.timeZone };
  const subject = { ruleId: rule.id, definition: rule.definition };
  // A run that money sets off asks nobody, whatever key tries it, so floors bind it.
  const isApproved = approvalRequired && !isArrival(rule.definition.trigger, base);
  const real = await readRuleFacts(services.pool, where, subject, isApproved);
  const facts = withBase(real, rule.definition.trigger.accountId, base);
  const identity = { id: executionId, ruleId: rule.id, ruleName: rule.name, ruleVersion: rule.version };
  const evaluation = evaluate(rule.definition, facts);
  if (evaluation.kind === "UNKNOWN") {
    // A dry run does not wait: who asks wants to know now.
    const errorMessage = unknownWords(evaluation.missing, namesOf(facts));
    const nothing = { stepIndexMatched: null, conditionsNotMet: false, transfersAttempted: 0, transfers: [] };
    return { ...identity, ...nothing, status: "FAILED", base, facts, plan: null, errorMessage };
  }
  const { plan } = evaluation;
  return {
    ...identity,
    ...planCounters(plan),
    status: statusOf(plan),
    base,
    facts,
    plan,
    errorMessage: runErrorMessage(plan, namesOf(facts)),
    transfers: plannedTransfers(plan, rule.definition, facts, context.now),
  };
}

function statusOf(plan: RulePlan): DryRun["status"] {
  const has = (outcome: "MOVE" | "FAILED") => plan.moves.some((move) => move.outcome === outcome);
  if (!has("FAILED")) return "EXECUTED";
  return has("MOVE") ? "PARTIAL" : "FAILED";
}
