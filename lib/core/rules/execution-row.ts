import type { z } from "zod";
import {
  type RuleExecution,
  type RuleExecutionStatus,
  type RuleExecutionSummary,
  triggerDetailsSchema,
} from "@/lib/contract/rules/execution";
import type { ExecutionMode } from "@/lib/contract/transfer";
import { approvalUrl } from "@/lib/core/transfers/transfer-row";

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

export function toExecution(row: ExecutionRow, appUrl: string): RuleExecution {
  return {
    ...toExecutionSummary(row, appUrl),
    triggerDetails: triggerDetailsSchema.parse(row.trigger_details),
    stepIndexMatched: row.step_index_matched,
    conditionsNotMet: row.conditions_not_met,
    transfersAttempted: row.transfers_attempted,
    transfersCompleted: row.transfers_completed,
    transfersFailed: row.transfers_failed,
    transfersPending: row.transfers_pending,
    transferIds: row.transfer_ids,
    errorMessage: row.error_message,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  };
}
