import type {
  ExecutionMode,
  TransferDirection,
  TransferOrigin,
  TransferStatus,
} from "@/lib/contract/transfer";
import type { ApprovalStatus } from "@/lib/contract/views/approval-view";
import type {
  ForeseenView,
  MovementAbout,
  MovementAsker,
  MovementStatus,
} from "@/lib/contract/views/movements-view";
import { approvalStatus, statusOfAccepted } from "@/lib/core/approvals/approval-status";
import type { ProposalState } from "@/lib/core/approvals/proposal-facts";
import { callerKind } from "@/lib/core/shared/caller-kind";
import type { Queryable } from "@/lib/db/transaction";

/** A transfer as lists and files of members show it. `$1` is the organization. */
const COLUMNS = `
  t.id, t.created_at, t.completed_at, t.status, t.execution_mode, t.direction, t.origin, t.amount_in_cents, t.description,
  t.reason_for_approval, t.error_code, t.error_message, t.expected_completion_date::text as expected_on,
  t.next_step, t.due_at, t.bank_reference,
  t.source_account_id, coalesce(s.name, t.counterparty_name, '') as from_name,
  t.destination_account_id, coalesce(d.name, t.counterparty_name, '') as to_name,
  ${callerKind("t.proposed_by_kind", "t.proposed_by_id")} as asker_kind, t.proposed_by_name as asker_name,
  t.rule_id, t.rule_execution_id, r.name as rule_name,
  p.state as proposal_state, p.expires_at as proposal_expires_at, p.decided_at, p.decision_note,
  p.decided_by, u.name as decided_by_name, p.decision_method`;

const JOINS = `
  left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
  left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
  left join rules r on r.organization_id = $1 and r.id = t.rule_id
  left join proposals p on p.organization_id = $1 and p.id = t.id
  left join users u on u.id = p.decided_by`;

export interface TransferMovementRow {
  id: string;
  created_at: Date;
  completed_at: Date | null;
  status: TransferStatus;
  execution_mode: ExecutionMode;
  direction: TransferDirection;
  origin: TransferOrigin;
  amount_in_cents: number;
  description: string | null;
  reason_for_approval: string | null;
  error_code: string | null;
  error_message: string | null;
  expected_on: string | null;
  next_step: "BOOK" | "FAIL" | "SUBMIT" | "ASK" | "AWAIT" | null;
  due_at: Date | null;
  bank_reference: string | null;
  source_account_id: string | null;
  from_name: string;
  destination_account_id: string | null;
  to_name: string;
  asker_kind: MovementAsker["kind"];
  asker_name: string;
  rule_id: string | null;
  rule_execution_id: string | null;
  rule_name: string | null;
  proposal_state: ProposalState | null;
  proposal_expires_at: Date | null;
  decided_at: Date | null;
  decision_note: string | null;
  decided_by: string | null;
  decided_by_name: string | null;
  decision_method: "PASSKEY" | "PASSWORD" | "RECENT_SIGN_IN" | "RECOVERY_CODE" | null;
}

/** The transfers with these ids, newest first. */
export async function readTransferRows(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<TransferMovementRow[]> {
  const { rows } = await database.query<TransferMovementRow>({
    name: "read_transfer_movements",
    text: `select ${COLUMNS} from transfers t ${JOINS}
            where t.organization_id = $1 and t.id = any ($2::uuid[]) order by t.id desc`,
    values: [organizationId, ids],
  });
  return rows;
}

/** Where a transfer stands, in the dashboard's words. */
export function transferStatus(row: TransferMovementRow, now: Date): MovementStatus {
  if (row.execution_mode === "SIMULATION") return "DRY_RUN";
  return liveStatus(row, now);
}

function liveStatus(row: TransferMovementRow, now: Date): ApprovalStatus {
  const { status, proposal_state: state, proposal_expires_at: expiresAt } = row;
  const isProposal = status === "APPROVAL_PENDING" || status === "APPROVAL_DENIED";
  if (isProposal && state !== null && expiresAt !== null) {
    return approvalStatus({ state, status, expiresAt }, now);
  }
  return statusOfAccepted(status);
}

export function askerOf(row: TransferMovementRow): MovementAsker {
  return { kind: row.asker_kind, name: row.asker_name };
}

/** Accepted, and neither booked nor at the bank. */
export function isCancellable({ next_step }: TransferMovementRow): boolean {
  return next_step === "BOOK" || next_step === "SUBMIT";
}

/** What is neither an account nor named by the bank. */
const SOMEBODY_OUTSIDE = "Outside Sluice";

export function partyNames(row: TransferMovementRow): { fromName: string; toName: string } {
  return { fromName: row.from_name || SOMEBODY_OUTSIDE, toName: row.to_name || SOMEBODY_OUTSIDE };
}

/** What the line under it says: what is unusual first, then where it comes from. */
export function aboutTransfer(row: TransferMovementRow, status: MovementStatus): MovementAbout {
  const by = askerOf(row);
  if (status === "DRY_RUN")
    return { kind: "DRY_RUN", by, ruleName: row.rule_name, foreseen: foreseenOf(row) };
  if (status === "RETURNED") return { kind: "RETURNED", code: returnCode(row.error_code) };
  if (status === "FAILED" && row.error_message) return { kind: "PROBLEM", sentence: row.error_message };
  if (status === "DENIED" && row.decision_note) return { kind: "DENIED", note: row.decision_note };
  if (status === "ON_ITS_WAY" && row.next_step === "SUBMIT") {
    return { kind: "LEAVES", at: row.due_at?.toISOString() ?? null, by };
  }
  if (status === "ON_ITS_WAY" && row.expected_on) return { kind: "EXPECTED", on: row.expected_on };
  if (row.origin === "DIRECT_DEPOSIT" || row.origin === "CHECK_DEPOSIT") {
    return { kind: "DEPOSIT", isCheck: row.origin === "CHECK_DEPOSIT" };
  }
  if (row.rule_name !== null) return { kind: "RULE", ruleName: row.rule_name, label: row.description };
  return { kind: "ASKED", by, label: row.description };
}

/** What a dry run foresaw. Null: it is one transfer of a rule, whose run may still meet a gate or a cap as a whole. */
export function foreseenOf(row: TransferMovementRow): ForeseenView | null {
  const { error_code: code, error_message: sentence } = row;
  if (code === null) return row.rule_id === null ? { outcome: "GOES_THROUGH" } : null;
  const outcome = code === "ABOVE_DAILY_CAP" ? "WAITS_FOR_APPROVAL" : "FAILS";
  return { outcome, sentence: sentence ?? code };
}

/** `ACH_R10` is told as the bank tells it: `R10`. */
export function returnCode(errorCode: string | null): string | null {
  return errorCode?.replace(/^ACH_/, "") ?? null;
}
