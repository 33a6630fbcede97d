import type { AccountType } from "@/lib/contract/account";
import type {
  AccountReference,
  ExecutionMode,
  Transfer,
  TransferDirection,
  TransferOrigin,
  TransferStatus,
} from "@/lib/contract/transfer";

/** The columns of every reader of transfers: from `transfers t` with its accounts `s` and `d`. */
export const TRANSFER_COLUMNS = `
  t.id, t.status, t.execution_mode, t.direction, t.origin, t.amount_in_cents, t.description, t.counterparty_name,
  t.source_account_id, s.name as source_name, s.type as source_type, s.deleted_at is not null as source_is_deleted,
  t.destination_account_id, d.name as destination_name, d.type as destination_type,
  d.deleted_at is not null as destination_is_deleted,
  t.rule_id, t.rule_execution_id, t.reason_for_approval, t.error_code, t.error_message, t.created_at, t.updated_at,
  t.completed_at, t.expected_completion_date::text as expected_completion_date`;

export const TRANSFER_JOINS = `
  left join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
  left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id`;

/** SQL: whether every account that a run saw is among these. Amounts of a run may follow from any of them. */
export function isRunReadable(organizationId: string, executionId: string, accountIds: string): string {
  return `coalesce((
    select bool_and(seen::uuid = any (${accountIds}::uuid[]))
      from rule_executions e cross join jsonb_object_keys(e.facts -> 'accounts') seen
     where e.organization_id = ${organizationId} and e.id = ${executionId}), false)`;
}

export interface TransferRow {
  id: string;
  status: TransferStatus;
  execution_mode: ExecutionMode;
  direction: TransferDirection;
  origin: TransferOrigin;
  amount_in_cents: number;
  description: string | null;
  counterparty_name: string | null;
  source_account_id: string | null;
  source_name: string | null;
  source_type: AccountType | null;
  source_is_deleted: boolean;
  destination_account_id: string | null;
  destination_name: string | null;
  destination_type: AccountType | null;
  destination_is_deleted: boolean;
  rule_id: string | null;
  rule_execution_id: string | null;
  reason_for_approval: string | null;
  error_code: string | null;
  error_message: string | null;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
  expected_completion_date: string | null;
}

/** The transfer as the API shows it (decisions page, "Transfer"). */
export function toTransfer(row: TransferRow, appUrl: string): Transfer {
  return {
    id: row.id,
    status: row.status,
    executionMode: row.execution_mode,
    direction: row.direction,
    origin: row.origin,
    amountInCents: row.amount_in_cents,
    description: row.description,
    source: reference(row, row.source_account_id, row.source_name, row.source_type, row.source_is_deleted),
    destination: reference(
      row,
      row.destination_account_id,
      row.destination_name,
      row.destination_type,
      row.destination_is_deleted,
    ),
    ruleId: row.rule_id,
    ruleExecutionId: row.rule_execution_id,
    reasonForApproval: row.reason_for_approval,
    approvalUrl: row.status === "APPROVAL_PENDING" ? approvalUrl(appUrl, row.id) : null,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
    expectedCompletionDate: row.expected_completion_date,
  };
}

/** Where a human decides; opening it decides nothing (specification, Part 4, "Approval flow"). */
export function approvalUrl(appUrl: string, id: string): string {
  return `${appUrl}/?approvalTransferId=${id}`;
}

function reference(
  row: TransferRow,
  id: string | null,
  name: string | null,
  type: AccountType | null,
  isDeleted: boolean,
): AccountReference {
  if (id === null || name === null || type === null) {
    return { id: null, name: row.counterparty_name ?? "", type: "EXTERNAL_ENTITY", isDeleted: false };
  }
  return { id, name, type, isDeleted };
}
