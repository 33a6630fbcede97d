import type { AccountType, ExternalAccountType } from "@/lib/contract/account";
import type { ConfirmationMethod } from "@/lib/contract/approvals/approval";
import type { BankRail } from "@/lib/contract/bank-capabilities";
import { accountHref, mandateHref, ruleHref, runHref } from "@/lib/contract/hrefs";
import type { Labels } from "@/lib/contract/input/labels";
import { canBeSource } from "@/lib/contract/rules/account-sides";
import { movementHref } from "@/lib/contract/search/movement-search";
import type { TimeContext } from "@/lib/contract/time-context";
import { mayBeTriedAgain } from "@/lib/contract/transfer";
import { readDocuments } from "@/lib/core/approvals/documents/document-facts";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import { type DocumentView, describeDocuments } from "@/lib/views/approvals/describe-documents";
import {
  type ForeseenView,
  foreseenOf,
  isCancellable,
  type MovementRequester,
  type MovementStatus,
  partyNames,
  readTransferRows,
  requesterOf,
  returnCode,
  shortId,
  type TransferMovementRow,
  transferStatus,
} from "@/lib/views/movements/movement-rows";
import type { TimedReading } from "@/lib/views/reading";
import { FORMER_MEMBER } from "@/lib/words/names";

/** One step of a movement's life. */
export type LifeStepView =
  | { kind: "PROPOSED"; at: string; by: MovementRequester; isDryRun: boolean }
  | { kind: "MADE_BY_RULE"; at: string; ruleName: string; runHref: string | null; isDryRun: boolean }
  | { kind: "ANNOUNCED"; at: string; isCheck: boolean; payerName: string | null }
  | { kind: "WAITING"; until: string }
  | {
      kind: "APPROVED" | "DENIED";
      at: string;
      byName: string;
      byViewer: boolean;
      method: ConfirmationMethod | null;
      note: string | null;
    }
  | { kind: "EXPIRED" | "REVOKED" | "WITHDRAWN"; at: string }
  | { kind: "LEAVES"; at: string | null; waitsFor?: WaitsForPodView }
  /** Sent to the bank, which has not answered yet. */
  | { kind: "UNANSWERED" }
  /** `isApprovedThere`: a person must approve it at the bank too. */
  | { kind: "AT_THE_BANK"; expectedOn: string | null; isApprovedThere?: boolean }
  | { kind: "SETTLED"; at: string }
  | { kind: "FAILED"; at: string; code: string; sentence: string }
  | { kind: "RETURNED"; at: string; code: string | null }
  | { kind: "CANCELLED"; at: string; byName: string | null }
  /** What a dry run predicted. */
  | ({ kind: "FORESEEN" } & ForeseenView);

/** A pod's own account at the bank holds money that belongs where payments leave from. */
export interface WaitsForPodView {
  podName: string;
  podHref: string;
  /** The bank has not moved it, and Sluice keeps asking; else it is about to move. */
  isStuck: boolean;
}

export interface CommonDetailView {
  id: string;
  shortId: string;
  from: MovementPartyView;
  to: MovementPartyView;
  amountInCents: number;
  status: MovementStatus;
  isAssistant: boolean;
  /** When it reached this status. */
  statusAt: string;
  createdAt: string;
  books: BookLineView[];
  pageHref: string;
  viewer: { canDecide: boolean };
  time: TimeContext;
}

/** What the bank said of a transfer when it settled. Times are ISO 8601. */
export interface Settlement {
  rail: BankRail;
  /** 0 if the bank bills otherwise. */
  feeInCents: number;
  /** Until when it may be returned as a matter of course; null: the bank names no time. */
  finalAt: string | null;
  /** When the money of a pull can be spent, which is held until then; null: at once. */
  availableAt: string | null;
}

export interface TransferDetailView extends CommonDetailView {
  kind: "TRANSFER";
  life: LifeStepView[];
  /** The caller's words, unchanged. */
  reason: string | null;
  /** The program's own id and data. */
  labels: Labels;
  documents: DocumentView[];
  label: string | null;
  rule: { name: string; href: string; runHref: string | null } | null;
  approvalHref: string | null;
  /** Under which its key moved it by itself; null: it did not. */
  mandate: { href: string; shortId: string } | null;
  /** The bank's own wording. */
  bankReferences: string[];
  /** Why the bank refused or returned it, in its own words: untrusted. Null: it gave none. */
  bankWords: string | null;
  /** What the bank said when it settled; null before, and for a transfer within Sluice. */
  settlement: Settlement | null;
  canCancel: boolean;
  moveBackHref: string | null;
  /** Of one that failed: Move money with the same accounts and amount. Null: not offered. */
  tryAgainHref: string | null;
  /** The settled transfer that it moves back; null for any other. */
  reversesHref: string | null;
  /** The proposal that moves it back: waiting, on its way or settled. */
  movedBackHref: string | null;
  /** Its receipt, to print; null before it has settled. */
  receiptHref: string | null;
}

/** One transfer with its history and entries; null if the organization has none with this ID. */
export async function readTransferDetail(
  { services, context, time }: TimedReading<"pool" | "bankCapabilities">,
  id: string,
): Promise<TransferDetailView | null> {
  const { pool } = services;
  const { organizationId, actor, now } = context;
  const [[row], extra, books, documents] = await Promise.all([
    readTransferRows(pool, organizationId, [id]),
    readExtra(pool, organizationId, id),
    readBooks(pool, organizationId, { transferId: id }),
    readDocuments(pool, organizationId, id),
  ]);
  if (!row || !extra) return null;
  const status = transferStatus(row, now);
  const { fromName, toName } = partyNames(row);
  const facts: LifeFacts = {
    isApprovedThere: services.bankCapabilities.approvesPayments || extra.isApprovedThere,
    waitsFor: extra.waitsFor && toWaitsFor(extra.waitsFor),
    row,
    status,
    viewerId: actor.id,
    updatedAt: extra.updatedAt,
    returnedAt: extra.returnedAt,
    cancelledByName: extra.cancelledByName,
    runHref: runHrefOf(row),
    now,
  };
  return {
    kind: "TRANSFER" as const,
    id: row.id,
    shortId: shortId(row.id),
    from: partyOf(fromName, row.sourceAccountId),
    to: partyOf(toName, row.destinationAccountId),
    amountInCents: row.amountInCents,
    status,
    isAssistant: row.requesterKind === "ASSISTANT",
    statusAt: statusAt(row, status, extra).toISOString(),
    createdAt: row.createdAt.toISOString(),
    life: buildLife(facts),
    books,
    reason: row.reasonForApproval,
    labels: { externalId: row.externalId, metadata: row.metadata },
    documents: describeDocuments(documents, context, id),
    label: row.description,
    rule:
      row.ruleId !== null && row.ruleName !== null
        ? { name: row.ruleName, href: ruleHref(row.ruleId), runHref: runHrefOf(row) }
        : null,
    approvalHref: row.proposalState === null ? null : proposalHref(row.id),
    mandate:
      extra.mandateId === null
        ? null
        : { href: mandateHref(extra.mandateId), shortId: shortId(extra.mandateId) },
    bankReferences: extra.references,
    bankWords: extra.bankWords,
    settlement: extra.settlement && toSettlement(extra.settlement),
    canCancel: isCancellable(row) && mayDecide(actor),
    moveBackHref: mayMoveBack(row, status, extra, actor) ? `/transfers/${row.id}/move-back` : null,
    tryAgainHref: tryAgainHref(row, status, extra, actor),
    reversesHref: extra.reversedId === null ? null : movementHref("TRANSFERS", extra.reversedId),
    movedBackHref: extra.reversalId === null ? null : proposalHref(extra.reversalId),
    receiptHref: RECEIPTED.has(status) ? `${movementHref("TRANSFERS", row.id)}/receipt` : null,
    pageHref: movementHref("TRANSFERS", row.id),
    viewer: { canDecide: mayDecide(actor) },
    time,
  };
}

/** What moved, even if the bank returned it later: a receipt shows both. */
const RECEIPTED: ReadonlySet<TransferDetailView["status"]> = new Set(["SETTLED", "RETURNED"]);

interface ExtraRow {
  updatedAt: Date;
  mandateId: string | null;
  returnedAt: Date | null;
  cancelledByName: string | null;
  references: string[];
  bankWords: string | null;
  isApprovedThere: boolean;
  waitsFor: { id: string; name: string; isStuck: boolean } | null;
  settlement: Settlement | null;
  sourceIsClosed: boolean | null;
  destinationIsClosed: boolean | null;
  destinationType: AccountType | null;
  destinationExternalType: ExternalAccountType | null;
  reversedId: string | null;
  reversalId: string | null;
}

/** What only the transfer's own page needs. */
async function readExtra(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<ExtraRow | undefined> {
  const { rows } = await database.query<ExtraRow>({
    name: "read_transfer_detail",
    text: `
      select t.updated_at as "updatedAt", t.mandate_id as "mandateId", case when t.withdrawn_at is not null then coalesce((select e.started_by_name from rule_executions e
            where e.organization_id = $1 and e.id = t.rule_execution_id), t.proposed_by_name)
          else (select name from users where id = t.cancelled_by) end as "cancelledByName",
          (select max(n.occurred_at) from bank_notices n
            where n.organization_id = $1 and n.transfer_id = t.id and n.kind = 'RETURNED') as "returnedAt",
          array(select distinct reference from (
            select t.bank_reference as reference
            union all
            (select n.reference from bank_notices n where n.organization_id = $1 and n.transfer_id = t.id limit 10)) named
            where reference is not null order by reference) as references,
          remark.words as "bankWords", coalesce(remark.is_approved_there, false) as "isApprovedThere",
          -- As lease_bank_orders says.
          (select json_build_object('id', pod.id, 'name', pod.name, 'isStuck', own.stuck_since is not null)
             from own_bank_accounts own
             join accounts pod on pod.organization_id = own.organization_id and pod.id = own.account_id
            where own.organization_id = $1 and t.next_step = 'SUBMIT' and t.direction = 'MONEY_OUT'
              and own_bank_account_excess(own) > 0
            order by own.stuck_since nulls last, pod.id limit 1) as "waitsFor",
          (select json_build_object('rail', b.rail, 'feeInCents', b.fee_in_cents, 'finalAt', b.final_at,
              'availableAt', b.available_at)
             from bank_settlements b
            where b.organization_id = t.organization_id and b.transfer_id = t.id) as settlement,
          s.deleted_at is not null as "sourceIsClosed", d.deleted_at is not null as "destinationIsClosed",
          d.type as "destinationType", d.external_account_type as "destinationExternalType",
          (select v.transfer_id from transfer_reversals v
            where v.organization_id = $1 and v.reversal_id = t.id limit 1) as "reversedId",
          (select back.id from transfer_reversals v
             join transfers back on back.organization_id = $1 and back.id = v.reversal_id
            where v.organization_id = $1 and v.transfer_id = t.id
              and back.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE') limit 1) as "reversalId"
        from transfers t
        left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
        left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
        left join bank_remarks remark on remark.organization_id = $1 and remark.transfer_id = t.id
       where t.organization_id = $1 and t.id = $2`,
    values: [organizationId, id],
  });
  return rows[0];
}

const toWaitsFor = ({ id, name, isStuck }: NonNullable<ExtraRow["waitsFor"]>): WaitsForPodView => ({
  podName: name,
  podHref: accountHref(id),
  isStuck,
});

function partyOf(name: string, accountId: string | null) {
  return {
    name /** Null: not an account of the organization. */,
    href: accountId === null ? null : accountHref(accountId),
  };
}

export type MovementPartyView = ReturnType<typeof partyOf>;

function runHrefOf({ ruleId, ruleExecutionId }: TransferMovementRow): string | null {
  return ruleId !== null && ruleExecutionId !== null ? runHref(ruleId, ruleExecutionId) : null;
}

/** When the transfer reached its current status. */
function statusAt(row: TransferMovementRow, status: TransferDetailView["status"], extra: ExtraRow): Date {
  switch (status) {
    case "DRY_RUN":
    case "WAITING":
      return row.createdAt;
    case "DENIED":
    case "REVOKED":
    case "WITHDRAWN":
    case "EXPIRED":
      return row.decidedAt ?? row.proposalExpiresAt ?? extra.updatedAt;
    case "RETURNED":
      return extra.returnedAt ?? extra.updatedAt;
    case "ON_ITS_WAY":
      return extra.updatedAt;
    default:
      return row.completedAt ?? extra.updatedAt;
  }
}

/** Settled between two open accounts of the organization, and the destination can pay it back. */
function mayMoveBack(
  row: TransferMovementRow,
  status: TransferDetailView["status"],
  extra: ExtraRow,
  actor: MemberActor,
): boolean {
  if (status !== "SETTLED" || extra.reversalId !== null || !mayDecide(actor)) return false;
  if (row.sourceAccountId === null || extra.destinationType === null) return false;
  if (extra.sourceIsClosed || extra.destinationIsClosed) return false;
  return canBeSource(extra.destinationType, extra.destinationExternalType);
}

/** The page that moves money asks for a confirmation, so nothing happens twice by following it. */
function tryAgainHref(
  row: TransferMovementRow,
  status: MovementStatus,
  extra: ExtraRow,
  actor: MemberActor,
): string | null {
  const { sourceAccountId: from, destinationAccountId: to, errorCode: code } = row;
  const areOpen = extra.sourceIsClosed === false && extra.destinationIsClosed === false;
  if (status !== "FAILED" || !mayDecide(actor) || from === null || to === null || !areOpen) return null;
  if (!mayBeTriedAgain(row.direction, code)) return null;
  return `/transfers/new?${new URLSearchParams({ from, to, amountInCents: String(row.amountInCents) })}`;
}

/** The facts behind a transfer's history. */
interface LifeFacts {
  /** Whether the bank waits for a person's approval of its own. */
  isApprovedThere: boolean;
  /** What keeps it from leaving; null: nothing. */
  waitsFor: WaitsForPodView | null;
  row: TransferMovementRow;
  status: MovementStatus;
  viewerId: string;
  updatedAt: Date;
  returnedAt: Date | null;
  cancelledByName: string | null;
  runHref: string | null;
  now: Date;
}

/** What happened to a transfer, what is happening, and what will, in order of time. Pure. */
function buildLife(facts: LifeFacts): LifeStepView[] {
  return [beginning(facts), ...decision(facts), ...ending(facts)];
}

function beginning({ row, runHref }: LifeFacts): LifeStepView {
  const at = row.createdAt.toISOString();
  if (row.origin === "DIRECT_DEPOSIT" || row.origin === "CHECK_DEPOSIT") {
    const payerName = row.fromName || null;
    return { kind: "ANNOUNCED", at, isCheck: row.origin === "CHECK_DEPOSIT", payerName };
  }
  const isDryRun = row.executionMode === "SIMULATION";
  if (row.ruleName !== null) return { kind: "MADE_BY_RULE", at, ruleName: row.ruleName, runHref, isDryRun };
  return { kind: "PROPOSED", at, by: requesterOf(row), isDryRun };
}

function decision({ row, status, viewerId }: LifeFacts): LifeStepView[] {
  const { proposalState: state, proposalExpiresAt: expiresAt, decidedAt } = row;
  if (state === null || expiresAt === null) return [];
  if (status === "WAITING") return [{ kind: "WAITING", until: expiresAt.toISOString() }];
  const at = (decidedAt ?? expiresAt).toISOString();
  if (state === "WAITING" || state === "EXPIRED") return [{ kind: "EXPIRED", at }];
  if (state === "REVOKED" || state === "WITHDRAWN") return [{ kind: state, at }];
  return [
    {
      kind: state,
      at,
      byName: row.decidedByName ?? FORMER_MEMBER,
      byViewer: row.decidedBy === viewerId,
      method: row.decisionMethod,
      note: row.decisionNote,
    },
  ];
}

function ending(facts: LifeFacts): LifeStepView[] {
  const { row, status, updatedAt, returnedAt, cancelledByName } = facts;
  const endedAt = (row.completedAt ?? updatedAt).toISOString();
  // Before 0.3, a bank that named no reason left none.
  const code = row.errorCode ?? "ACH_SENT_BACK";
  switch (status) {
    case "ON_ITS_WAY":
      return underWay(facts);
    case "SETTLED":
      return [...atTheBank(row), { kind: "SETTLED", at: endedAt }];
    case "RETURNED":
      return [
        ...atTheBank(row),
        { kind: "SETTLED", at: endedAt },
        { kind: "RETURNED", at: (returnedAt ?? updatedAt).toISOString(), code: returnCode(row.errorCode) },
      ];
    case "FAILED":
      return [
        {
          kind: "FAILED",
          at: endedAt,
          code,
          sentence: row.errorMessage ?? "The bank gave no reason. Nothing moved.",
        },
      ];
    case "DRY_RUN":
      return foreseen(row);
    case "CANCELLED":
      return [{ kind: "CANCELLED", at: endedAt, byName: cancelledByName }];
    default:
      return [];
  }
}

function foreseen(row: TransferMovementRow): LifeStepView[] {
  const outcome = foreseenOf(row);
  return outcome ? [{ kind: "FORESEEN", ...outcome }] : [];
}

function underWay({ row, isApprovedThere, waitsFor }: LifeFacts): LifeStepView[] {
  if (row.nextStep === "SUBMIT") {
    return [{ kind: "LEAVES", at: row.dueAt?.toISOString() ?? null, ...(waitsFor && { waitsFor }) }];
  }
  if (row.nextStep === "ASK") return [{ kind: "UNANSWERED" }];
  if (row.nextStep === "AWAIT") {
    const expectedOn = row.expectedOn;
    return [{ kind: "AT_THE_BANK", expectedOn, ...(isApprovedThere && { isApprovedThere }) }];
  }
  return [{ kind: "LEAVES", at: null }];
}

function atTheBank(row: TransferMovementRow): LifeStepView[] {
  const wasSubmitted = row.bankReference !== null && row.direction !== "INTERNAL";
  return wasSubmitted ? [{ kind: "AT_THE_BANK", expectedOn: row.expectedOn }] : [];
}

interface Row {
  id: string;
  kind: "TRANSFER" | "RETURN" | "CARD";
  bookedAt: Date;
  debitName: string | null;
  creditName: string | null;
  amountInCents: number;
}

/** The bank partner's side of the books, which is not an account of the organization. */
const CLEARING = "The bank, clearing";

/** The entries of a transfer or card transaction: oldest first, at most one in each direction. */
export async function readBooks(
  database: Queryable,
  organizationId: string,
  cause: { transferId: string } | { cardTransactionId: string },
) {
  const ofTransfer = "transferId" in cause;
  const { rows } = await database.query<Row>({
    name: ofTransfer ? "books_of_transfer" : "books_of_card_transaction",
    text: `
      select e.id, e.kind, e.booked_at as "bookedAt", debit.name as "debitName", credit.name as "creditName",
          e.amount_in_cents as "amountInCents"
        from entries e
        left join accounts debit on debit.organization_id = $1 and debit.id = e.debit_ledger_id
        left join accounts credit on credit.organization_id = $1 and credit.id = e.credit_ledger_id
       where e.organization_id = $1 and e.${ofTransfer ? "transfer_id" : "card_transaction_id"} = $2
       order by e.id limit 10`,
    values: [organizationId, ofTransfer ? cause.transferId : cause.cardTransactionId],
  });
  return rows.map((row) => ({
    entryId: row.id,
    kind: row.kind,
    bookedAt: row.bookedAt.toISOString(),
    debitName: row.debitName ?? CLEARING,
    creditName: row.creditName ?? CLEARING,
    amountInCents: row.amountInCents,
  }));
}

/** One line of a booking: the same amount on both sides, always. */
export type BookLineView = Awaited<ReturnType<typeof readBooks>>[number];

/**
 * The receipt of a transfer, for any member; null if the organization has none with this ID, or it has not settled.
 * @param setting with the organization's own time zone: a receipt is the same for everyone
 */
export async function readReceipt(
  { services, context, time }: TimedReading<"pool" | "bankCapabilities">,
  id: string,
  setting: { organizationName: string; isSandbox: boolean },
) {
  const transfer = await readTransferDetail({ services, context, time }, id);
  if (!transfer?.receiptHref) return null;
  return { ...setting, transfer: { ...transfer, life: transfer.life.map(withName) } };
}

/** A transfer's receipt: the same for everyone, in the organization's zone, naming every person. */
export type ReceiptView = NonNullable<Awaited<ReturnType<typeof readReceipt>>>;

/** A receipt names the decider: "Approved by you" would be wrong for other readers. */
function withName(step: LifeStepView): LifeStepView {
  return step.kind === "APPROVED" || step.kind === "DENIED" ? { ...step, byViewer: false } : step;
}

/** Times as PostgreSQL writes them in JSON, to ISO 8601. */
function toSettlement({ finalAt, availableAt, ...rest }: Settlement): Settlement {
  const iso = (time: string | null) => time && new Date(time).toISOString();
  return { ...rest, finalAt: iso(finalAt), availableAt: iso(availableAt) };
}
