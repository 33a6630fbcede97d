import type { z } from "zod";
import {
  type RuleExecution,
  type RuleExecutionStatus,
  type RuleExecutionSummary,
  triggerDetailsSchema,
} from "@/lib/contract/rules/execution";
import { ruleFactsSchema } from "@/lib/contract/rules/facts";
import { rulePlanSchema } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { ExecutionMode } from "@/lib/contract/transfer";
import { readableBase, readableError, readableTriggerDetails } from "@/lib/core/rules/readable-run";
import type { CallerActor } from "@/lib/core/shared/context";
import { approvalUrl } from "@/lib/core/transfers/transfer-row";
import type { RunBase } from "@/lib/engine/run-facts";

export const EXECUTION_SUMMARY_COLUMNS =
  "e.id, e.rule_id, e.status, e.execution_mode, e.created_at, e.reason_for_approval";

export interface ExecutionSummaryRow {
  id: string;
  rule_id: string;
  status: RuleExecutionStatus;
  execution_mode: ExecutionMode;
  created_at: Date;
  reason_for_approval: string | null;
}

export interface ExecutionRow extends ExecutionSummaryRow {
  rule_version: number;
  /** Of the version that ran. */
  trigger: RuleDefinition["trigger"];
  base: RunBase;
  /** What it saw and worked out, as it was stored; null: it came to none. */
  facts: unknown;
  plan: unknown;
  trigger_details: z.input<typeof triggerDetailsSchema>;
  step_index_matched: number | null;
  conditions_not_met: boolean;
  transfers_attempted: number;
  transfers_completed: number;
  transfers_failed: number;
  transfers_pending: number;
  transfer_ids: string[];
  error_message: string | null;
  next_attempt_at: Date | null;
}

export function toExecutionSummary(row: ExecutionSummaryRow, appUrl: string): RuleExecutionSummary {
  return {
    id: row.id,
    ruleId: row.rule_id,
    status: row.status,
    executionMode: row.execution_mode,
    createdAt: row.created_at.toISOString(),
    reasonForApproval: row.reason_for_approval,
    approvalUrl: row.status === "APPROVAL_PENDING" ? approvalUrl(appUrl, row.id) : null,
  };
}

/** As the caller may read it: a run tells of the balances of every account that its rule names. */
export function toExecution(row: ExecutionRow, actor: CallerActor, appUrl: string): RuleExecution {
  const facts = ruleFactsSchema.safeParse(row.facts).data ?? null;
  const plan = rulePlanSchema.safeParse(row.plan).data ?? null;
  const details = triggerDetailsSchema.parse(row.trigger_details);
  return {
    ...toExecutionSummary(row, appUrl),
    ruleVersion: row.rule_version,
    base: facts && row.base.mode === "SIMULATION" ? readableBase(actor, row.trigger, row.base, facts) : null,
    triggerDetails: readableTriggerDetails(actor, details, row.trigger.accountId),
    stepIndexMatched: row.step_index_matched,
    conditionsNotMet: row.conditions_not_met,
    transfersAttempted: row.transfers_attempted,
    transfersCompleted: row.transfers_completed,
    transfersFailed: row.transfers_failed,
    transfersPending: row.transfers_pending,
    transferIds: row.transfer_ids,
    errorMessage: readableError(actor, { errorMessage: row.error_message, facts, plan }),
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  };
}
