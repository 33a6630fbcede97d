import type { ApprovalStatus } from "@/lib/contract/approvals/approval";
import type { Labels } from "@/lib/contract/input/labels";
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
import { DECIDER_ID, deciderName } from "@/lib/core/shared/proposal-decision";
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
  t.id, t.created_at as "createdAt", t.completed_at as "completedAt", t.status, t.execution_mode as "executionMode",
  t.direction, t.origin, t.amount_in_cents as "amountInCents", t.description,
  t.reason_for_approval as "reasonForApproval", t.error_code as "errorCode", t.error_message as "errorMessage",
  t.expected_completion_date::text as "expectedOn",
  t.next_step as "nextStep", t.due_at as "dueAt", t.bank_reference as "bankReference",
  t.source_account_id as "sourceAccountId", coalesce(s.name, t.counterparty_name, '') as "fromName",
  t.destination_account_id as "destinationAccountId", coalesce(d.name, t.counterparty_name, '') as "toName",
  ${callerKind("t.proposed_by_kind", "t.proposed_by_id")} as "requesterKind", t.proposed_by_name as "requesterName",
  t.rule_id as "ruleId", t.rule_execution_id as "ruleExecutionId", r.name as "ruleName",
  p.state as "proposalState", p.expires_at as "proposalExpiresAt", p.decided_at as "decidedAt",
  p.decision_note as "decisionNote",
  ${DECIDER_ID} as "decidedBy", ${deciderName("u")} as "decidedByName", p.decision_method as "decisionMethod",
  t.mandate_id as "mandateId", label.external_id as "externalId", coalesce(label.metadata, '[]') as metadata`;

const JOINS = `
  left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
  left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
  left join rules r on r.organization_id = $1 and r.id = t.rule_id
  left join proposals p on p.organization_id = $1 and p.id = t.id
  left join users u on u.id = p.decided_by
  left join transfer_labels label on label.organization_id = $1 and label.transfer_id = t.id`;

export interface TransferMovementRow extends Labels {
  id: string;
  createdAt: Date;
  completedAt: Date | null;
  status: TransferStatus;
  executionMode: ExecutionMode;
  direction: TransferDirection;
  origin: TransferOrigin;
  amountInCents: number;
  description: string | null;
  reasonForApproval: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  expectedOn: string | null;
  nextStep: "BOOK" | "FAIL" | "SUBMIT" | "ASK" | "AWAIT" | null;
  dueAt: Date | null;
  bankReference: string | null;
  sourceAccountId: string | null;
  fromName: string;
  destinationAccountId: string | null;
  toName: string;
  requesterKind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK" | "RULE" | "BANK";
  requesterName: string;
  ruleId: string | null;
  ruleExecutionId: string | null;
  /** Under which it was accepted without asking. */
  mandateId: string | null;
  ruleName: string | null;
  /** Only runs end with their rule. */
  proposalState: Exclude<ProposalState, "RULE_CHANGED"> | null;
  proposalExpiresAt: Date | null;
  decidedAt: Date | null;
  decisionNote: string | null;
  decidedBy: string | null;
  decidedByName: string | null;
  decisionMethod: "PASSKEY" | "PASSWORD" | "RECENT_SIGN_IN" | "RECOVERY_CODE" | "TEST_PERSON" | null;
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
  if (row.executionMode === "SIMULATION") return "DRY_RUN";
  return liveStatus(row, now);
}

function liveStatus(row: TransferMovementRow, now: Date): ApprovalStatus {
  const { status, proposalState: state, proposalExpiresAt: expiresAt } = row;
  const isProposal = status === "APPROVAL_PENDING" || status === "APPROVAL_DENIED";
  if (isProposal && state !== null && expiresAt !== null) {
    return approvalStatus({ state, status, expiresAt }, now);
  }
  return statusOfAccepted(status);
}

export function requesterOf(row: TransferMovementRow) {
  return { kind: row.requesterKind, name: row.requesterName };
}

/** The requester, as lists name them. */
export type MovementRequester = ReturnType<typeof requesterOf>;

/** Accepted, and neither booked nor with the bank. */
export function isCancellable({ nextStep }: TransferMovementRow): boolean {
  return nextStep === "BOOK" || nextStep === "SUBMIT";
}

export function partyNames(row: TransferMovementRow): { fromName: string; toName: string } {
  return { fromName: row.fromName || OUTSIDE_SLUICE, toName: row.toName || OUTSIDE_SLUICE };
}

/** The second line of a row: what is unusual first, then the origin. */
export function aboutTransfer(row: TransferMovementRow, status: MovementStatus): MovementAbout {
  const by = requesterOf(row);
  if (status === "DRY_RUN") return { kind: "DRY_RUN", by, ruleName: row.ruleName, foreseen: foreseenOf(row) };
  if (status === "RETURNED") return { kind: "RETURNED", code: returnCode(row.errorCode) };
  if (status === "FAILED" && row.errorMessage) return { kind: "PROBLEM", sentence: row.errorMessage };
  if (status === "DENIED" && row.decisionNote) return { kind: "DENIED", note: row.decisionNote };
  if (status === "ON_ITS_WAY" && row.nextStep === "SUBMIT") {
    return { kind: "LEAVES", at: row.dueAt?.toISOString() ?? null, by };
  }
  if (status === "ON_ITS_WAY" && row.expectedOn) return { kind: "EXPECTED", on: row.expectedOn };
  if (row.origin === "DIRECT_DEPOSIT" || row.origin === "CHECK_DEPOSIT") {
    return { kind: "DEPOSIT", isCheck: row.origin === "CHECK_DEPOSIT" };
  }
  if (row.ruleName !== null) return { kind: "RULE", ruleName: row.ruleName, label: row.description };
  return { kind: "ASKED", by, label: row.description };
}

/** The predicted outcome of a dry run. Null for a rule's transfer: its run may still fail a gate or cap as a whole. */
export function foreseenOf(row: TransferMovementRow): ForeseenView | null {
  const { errorCode: code, errorMessage: sentence } = row;
  if (code === null) return row.ruleId === null ? { outcome: "GOES_THROUGH" } : null;
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
  createdAt: Date;
  completedAt: Date;
  subtype: CardTransactionSubtype;
  amountInCents: number;
  description: string;
  category: SpendingCategory | null;
  networkReference: string;
  accountId: string;
  accountName: string;
  cardName: string;
  numberLast4: string;
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
      select t.id, t.created_at as "createdAt", t.completed_at as "completedAt", t.subtype,
          t.amount_in_cents as "amountInCents", t.description, t.category,
          t.network_reference as "networkReference", t.account_id as "accountId", a.name as "accountName",
          c.name as "cardName", c.number_last4 as "numberLast4"
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
    ? { fromName: row.accountName, toName: shop }
    : { fromName: shop, toName: row.accountName };
}

/** An outside transaction as members' lists and files show it. */
export interface OutsideMovementRow {
  id: string;
  transactionDate: Date;
  createdAt: Date;
  status: ExternalTransactionStatus;
  direction: FlowDirection;
  amountInCents: number;
  description: string;
  merchantName: string | null;
  category: SpendingCategory | null;
  accountId: string;
  accountName: string;
  transferId: string | null;
  /** The account at the other end of the Sluice transfer that this is the other side of. */
  otherName: string | null;
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
      select x.id, x.transaction_date as "transactionDate", x.created_at as "createdAt", x.status, x.direction,
          x.amount_in_cents as "amountInCents", x.description,
          x.merchant_name as "merchantName", x.category, x.account_id as "accountId", a.name as "accountName",
          x.transfer_id as "transferId", other.name as "otherName"
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
  const other = row.otherName ?? row.merchantName ?? (row.description || "Somebody outside");
  return row.direction === "MONEY_OUT"
    ? { fromName: row.accountName, toName: other }
    : { fromName: other, toName: row.accountName };
}

/** An ID shortened in the middle: `7c1e…44d0`. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`;
}
