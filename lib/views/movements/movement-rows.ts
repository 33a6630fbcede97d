import type { ApprovalStatus } from "@/lib/contract/approvals/approval";
import type { CardKind } from "@/lib/contract/search/movement-search";
import type {
  CardTransactionSubtype,
  ExternalTransactionStatus,
  FlowDirection,
  SpendingCategory,
} from "@/lib/contract/transactions";
import type {
  ExecutionMode,
  TransferDirection,
  TransferOrigin,
  TransferStatus,
} from "@/lib/contract/transfer";
import { approvalStatus, statusOfAccepted } from "@/lib/core/approvals/approval-facts";
import type { ProposalState } from "@/lib/core/approvals/proposal-facts";
import { callerKind } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { OUTSIDE_SLUICE } from "@/lib/words/names";

/** State of a movement. `PENDING`: seen outside, not posted yet. */
export type MovementStatus = ApprovalStatus | "DRY_RUN" | "PENDING";

/** How the live counterpart of a dry run would have ended at that time. */
export type ForeseenView =
  | { outcome: "GOES_THROUGH" }
  /** `FAILS`: also if it would not even be accepted. */
  | { outcome: "FAILS" | "WAITS_FOR_APPROVAL"; sentence: string };

/** The one line under a movement. */
export type MovementAbout =
  | { kind: "DRY_RUN"; by: MovementRequester; ruleName: string | null; foreseen: ForeseenView | null }
  | { kind: "ASKED"; by: MovementRequester; label: string | null }
  | { kind: "RULE"; ruleName: string; label: string | null }
  | { kind: "DEPOSIT"; isCheck: boolean }
  /** Accepted, not at the bank yet. `at`: when it goes there. */
  | { kind: "LEAVES"; at: string | null; by: MovementRequester }
  | { kind: "EXPECTED"; on: string }
  | { kind: "PROBLEM"; sentence: string }
  /** Returned by the bank: the code, e.g. `R10`. */
  | { kind: "RETURNED"; code: string | null }
  | { kind: "DENIED"; note: string }
  | { kind: "CARD"; subtype: Uppercase<CardKind>; cardName: string; numberEnding: string }
  | { kind: "OUTSIDE"; category: SpendingCategory | null; isOwnTransfer: boolean; isIncome: boolean };

/** A transfer as members' lists and files show it. `$1` is the organization. */
const COLUMNS = `
  t.id, t.created_at, t.completed_at, t.status, t.execution_mode, t.direction, t.origin, t.amount_in_cents, t.description,
  t.reason_for_approval, t.error_code, t.error_message, t.expected_completion_date::text as expected_on,
  t.next_step, t.due_at, t.bank_reference,
  t.source_account_id, coalesce(s.name, t.counterparty_name, '') as from_name,
  t.destination_account_id, coalesce(d.name, t.counterparty_name, '') as to_name,
  ${callerKind("t.proposed_by_kind", "t.proposed_by_id")} as requester_kind, t.proposed_by_name as requester_name,
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
  requester_kind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK" | "RULE" | "BANK";
  requester_name: string;
  rule_id: string | null;
  rule_execution_id: string | null;
  rule_name: string | null;
  /** Only runs end with their rule. */
  proposal_state: Exclude<ProposalState, "RULE_CHANGED"> | null;
  proposal_expires_at: Date | null;
  decided_at: Date | null;
  decision_note: string | null;
  decided_by: string | null;
  decided_by_name: string | null;
  decision_method: "PASSKEY" | "PASSWORD" | "RECENT_SIGN_IN" | "RECOVERY_CODE" | null;
}

/** The transfers with these IDs, newest first. */
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

/** A transfer's status as the dashboard shows it. */
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

export function requesterOf(row: TransferMovementRow) {
  return { kind: row.requester_kind, name: row.requester_name };
}

/** The requester, as lists name them. */
export type MovementRequester = ReturnType<typeof requesterOf>;

/** Accepted, and neither booked nor with the bank. */
export function isCancellable({ next_step }: TransferMovementRow): boolean {
  return next_step === "BOOK" || next_step === "SUBMIT";
}

export function partyNames(row: TransferMovementRow): { fromName: string; toName: string } {
  return { fromName: row.from_name || OUTSIDE_SLUICE, toName: row.to_name || OUTSIDE_SLUICE };
}

/** The second line of a row: what is unusual first, then the origin. */
export function aboutTransfer(row: TransferMovementRow, status: MovementStatus): MovementAbout {
  const by = requesterOf(row);
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

/** The predicted outcome of a dry run. Null for a rule's transfer: its run may still fail a gate or cap as a whole. */
export function foreseenOf(row: TransferMovementRow): ForeseenView | null {
  const { error_code: code, error_message: sentence } = row;
  if (code === null) return row.rule_id === null ? { outcome: "GOES_THROUGH" } : null;
  const outcome = code === "ABOVE_DAILY_CAP" ? "WAITS_FOR_APPROVAL" : "FAILS";
  return { outcome, sentence: sentence ?? code };
}

/** `ACH_R10` is shown as the bank's `R10`. */
export function returnCode(errorCode: string | null): string | null {
  return errorCode?.replace(/^ACH_/, "") ?? null;
}

/** A card transaction as members' lists and files show it. */
export interface CardMovementRow {
  id: string;
  created_at: Date;
  completed_at: Date;
  subtype: CardTransactionSubtype;
  amount_in_cents: number;
  description: string;
  category: SpendingCategory | null;
  network_reference: string;
  account_id: string;
  account_name: string;
  card_name: string;
  number_last4: string;
}

/** The card transactions with these IDs, newest first. */
export async function readCardRows(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<CardMovementRow[]> {
  const { rows } = await database.query<CardMovementRow>({
    name: "read_card_movements",
    text: `
      select t.id, t.created_at, t.completed_at, t.subtype, t.amount_in_cents, t.description, t.category,
          t.network_reference, t.account_id, a.name as account_name, c.name as card_name, c.number_last4
        from card_transactions t
        join cards c on c.organization_id = $1 and c.id = t.card_id
        join accounts a on a.organization_id = $1 and a.id = t.account_id
       where t.organization_id = $1 and t.id = any ($2::uuid[])
       order by t.created_at desc, t.id desc`,
    values: [organizationId, ids],
  });
  return rows;
}

/** Source and destination; a merchant that the network did not name is "A shop". */
export function cardPartyNames(row: CardMovementRow): { fromName: string; toName: string } {
  const shop = row.description || "A shop";
  return row.subtype === "PURCHASE"
    ? { fromName: row.account_name, toName: shop }
    : { fromName: shop, toName: row.account_name };
}

/** An outside transaction as members' lists and files show it. */
export interface OutsideMovementRow {
  id: string;
  transaction_date: Date;
  created_at: Date;
  status: ExternalTransactionStatus;
  direction: FlowDirection;
  amount_in_cents: number;
  description: string;
  merchant_name: string | null;
  category: SpendingCategory | null;
  account_id: string;
  account_name: string;
  transfer_id: string | null;
  /** The account at the other end of the Sluice transfer that this is the other side of. */
  other_name: string | null;
}

/** The outside transactions with these IDs, newest first, without those that the institution withdrew. */
export async function readOutsideRows(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<OutsideMovementRow[]> {
  const { rows } = await database.query<OutsideMovementRow>({
    name: "read_outside_movements",
    text: `
      select x.id, x.transaction_date, x.created_at, x.status, x.direction, x.amount_in_cents, x.description,
          x.merchant_name, x.category, x.account_id, a.name as account_name, x.transfer_id, other.name as other_name
        from external_transactions x
        join accounts a on a.organization_id = $1 and a.id = x.account_id
        left join transfers t on t.organization_id = $1 and t.id = x.transfer_id
        left join accounts other on other.organization_id = $1
          and other.id = case when x.direction = 'MONEY_OUT' then t.destination_account_id else t.source_account_id end
       where x.organization_id = $1 and x.id = any ($2::uuid[]) and x.vanished_at is null
       order by x.transaction_date desc, x.id desc`,
    values: [organizationId, ids],
  });
  return rows;
}

export function outsidePartyNames(row: OutsideMovementRow): { fromName: string; toName: string } {
  const other = row.other_name ?? row.merchant_name ?? (row.description || "Somebody outside");
  return row.direction === "MONEY_OUT"
    ? { fromName: row.account_name, toName: other }
    : { fromName: other, toName: row.account_name };
}

/** An ID shortened in the middle: `7c1e…44d0`. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`;
}
