import { UNKNOWN_BALANCE_RETRY_MINUTES } from "@/lib/contract/limits";
import type { RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan } from "@/lib/contract/rules/plan";
import type { ClaimedRun, FailedAttempt } from "@/lib/core/rules/claim-runs";
import { type PlannedTransfer, planCounters, plannedTransfers } from "@/lib/core/rules/planned-transfers";
import { namesOf } from "@/lib/core/rules/read-account-names";
import type { AboveCap } from "@/lib/core/shared/permits";
import { evaluate } from "@/lib/engine/evaluate";
import { withBase } from "@/lib/engine/run-facts";
import { runErrorMessage, unknownWords } from "@/lib/words/rules/trace-words";

const MINUTE_MS = 60_000;
/** Delays of retries while a fact is unknown; after the last one the run fails (docs/behavior/rules.md). */
export const RETRY_DELAYS_MS = UNKNOWN_BALANCE_RETRY_MINUTES.map((minutes) => minutes * MINUTE_MS);

/** The result of a claimed run: an item of `carry_out_runs`. */
export interface RunResult {
  organizationId: string;
  id: string;
  ruleId: string;
  ruleName: string;
  chainDepth: number;
  now: Date;
  outcome: "PLANNED" | "WAIT" | "FAILED" | "HELD";
  /**
   * `IN_PROGRESS` while it waits for a retry or has transfers at the bank; `APPROVAL_PENDING` if it is held for approval.
   */
  status: RuleExecutionStatus;
  stepIndexMatched: number | null;
  conditionsNotMet: boolean;
  transfersAttempted: number;
  errorMessage: string | null;
  facts: RuleFacts | null;
  plan: RulePlan | null;
  attempts: number;
  attemptLog: FailedAttempt[];
  dueAt: Date | null;
  transfers: PlannedTransfer[];
  /** The cap that holds it, and until when; null except for `HELD`. */
  held: (AboveCap & { expiresAt: Date; remindAt: Date }) | null;
}

const STOPPED = {
  DEACTIVATED: "The rule was deactivated before it ran. Nothing moved.",
  PAUSED: "The rule was paused before it ran because money that it had routed was returned. Nothing moved.",
  MONEY_CAME_BACK: "The bank took the money back before the rule ran. Nothing moved.",
  GATES_CLOSED: "All gates were closed before the rule ran. Nothing moved, and the run will not be repeated.",
} as const;

/**
 * Evaluates a claimed run from its facts. Pure, except for new ids.
 * @param facts without the run's own incoming amount
 */
export function resultOf(run: ClaimedRun, facts: RuleFacts): RunResult {
  if (run.stoppedBecause) return failedRun(run, STOPPED[run.stoppedBecause]);
  if (!run.definition) {
    return failedRun(run, "This version of Sluice cannot represent the rule. Nothing moved.");
  }
  const own = withBase(facts, run.definition.trigger.accountId, run.base);
  const evaluation = evaluate(run.definition, own);
  if (evaluation.kind === "UNKNOWN") {
    const problem = unknownWords(evaluation.missing, namesOf(own));
    return waitOrFail(run, problem, own);
  }
  const { plan } = evaluation;
  const transfers = plannedTransfers(plan, run.definition, own, run.now);
  return {
    ...identity(run),
    ...planCounters(plan),
    outcome: "PLANNED",
    status: statusAfter(transfers),
    errorMessage: runErrorMessage(plan, namesOf(own)),
    facts: own,
    plan,
    attempts: run.attempts + 1,
    attemptLog: run.attemptLog,
    dueAt: null,
    transfers,
    held: null,
  };
}

/** Transfers between own accounts complete with the run; `settle_execution` ends runs with transfers at the bank. */
function statusAfter(transfers: readonly PlannedTransfer[]): RuleExecutionStatus {
  const isOpen = ({ errorCode, direction }: PlannedTransfer) =>
    errorCode === null && direction !== "INTERNAL";
  if (transfers.some(isOpen)) return "IN_PROGRESS";
  if (transfers.every(({ errorCode }) => errorCode === null)) return "EXECUTED";
  return transfers.some(({ errorCode }) => errorCode === null) ? "PARTIAL" : "FAILED";
}

/** Retried later, or failed after the last attempt. */
export function waitOrFail(run: ClaimedRun, problem: string, facts: RuleFacts | null): RunResult {
  const delayMs = RETRY_DELAYS_MS[run.attempts];
  const attemptLog = [...run.attemptLog, { at: run.now.toISOString(), problem }];
  const attempted = {
    ...failedRun(run, `${problem} It was tried ${attemptLog.length} times. Nothing moved.`),
    facts,
    attemptLog,
  };
  if (delayMs === undefined) return attempted;
  return {
    ...attempted,
    outcome: "WAIT",
    status: "IN_PROGRESS",
    errorMessage: null,
    dueAt: new Date(run.now.getTime() + delayMs),
  };
}

export function failedRun(run: ClaimedRun, errorMessage: string): RunResult {
  return {
    ...identity(run),
    outcome: "FAILED",
    status: "FAILED",
    stepIndexMatched: null,
    conditionsNotMet: false,
    transfersAttempted: 0,
    errorMessage,
    facts: null,
    plan: null,
    attempts: run.attempts + 1,
    attemptLog: run.attemptLog,
    dueAt: null,
    transfers: [],
    held: null,
  };
}

function identity({ organizationId, id, ruleId, ruleName, chainDepth, now }: ClaimedRun) {
  return { organizationId, id, ruleId, ruleName, chainDepth, now };
}
