import type { MovementFileLayout, MovementSearch, MovementTab } from "@/lib/contract/search/movement-search";
import type { TimeContext } from "@/lib/contract/time-context";
import { readDocumentNames } from "@/lib/core/approvals/documents/document-facts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { CsvColumn, ExportedFile } from "@/lib/core/shared/csv";
import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import type { Services } from "@/lib/platform/services";
import { listScan, type MovementLook } from "@/lib/views/movements/list-scans";
import { movementWindow } from "@/lib/views/movements/movement-query";
import {
  type CardMovementRow,
  cardPartyNames,
  type OutsideMovementRow,
  outsidePartyNames,
  partyNames,
  readCardRows,
  readOutsideRows,
  readTransferRows,
  type TransferMovementRow,
  transferStatus,
} from "@/lib/views/movements/movement-rows";
import { requireExport } from "@/lib/views/require-export";
import { type FileLimits, writeKeysetFile } from "@/lib/views/write-keyset-file";

const LIMITS: FileLimits = { maximumRows: 100_000, rowsPerBatch: 1_000 };

/**
 * A list of movements as CSV, with the list's filters, newest first. Movements that arrive during the export are not
 * included. The export by account has a signed line for each account that a movement changed, and none for movements
 * that never took place.
 * @throws AppError `ACCESS_DENIED` for a viewer, who may not export.
 */
export function exportMovements(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { tab, search, layout }: { tab: MovementTab; search: MovementSearch; layout: MovementFileLayout },
  time: TimeContext,
  limits: FileLimits = LIMITS,
): ExportedFile {
  requireExport(context);
  const { organizationId, now } = context;
  const look: MovementLook = {
    organizationId,
    now,
    search,
    window: movementWindow(search, now, time.timeZone),
  };
  const { pool } = services;
  const day = calendarDate(now, time.timeZone);
  const byAccount = accountColumns(time);
  // With an account filter, export only that account's lines, not the other side's.
  const linesOf =
    (read: typeof readTransferLines) => (database: Queryable, id: string, ids: readonly string[]) =>
      read(database, id, ids, search.account);
  const lines = {
    LIST: {
      TRANSFERS: () => writeFile(pool, tab, look, transferColumns(time, now), readExported, limits),
      CARDS: () => writeFile(pool, tab, look, cardColumns(time), readCardRows, limits),
      OUTSIDE: () => writeFile(pool, tab, look, outsideColumns(time), readOutsideRows, limits),
    },
    ACCOUNTS: {
      TRANSFERS: () => writeFile(pool, tab, look, byAccount, linesOf(readTransferLines), limits),
      CARDS: () => writeFile(pool, tab, look, byAccount, linesOf(readCardLines), limits),
      OUTSIDE: () => writeFile(pool, tab, look, outsideAccountColumns(time), readOutsideRows, limits),
    },
  }[layout][tab];
  const name = `${FILE_NAME[tab]}${layout === "ACCOUNTS" ? "-by-account" : ""}-${day}.csv`;
  return { fileName: name, lines: lines() };
}

const FILE_NAME: Record<MovementTab, string> = {
  TRANSFERS: "transfers",
  CARDS: "card-transactions",
  OUTSIDE: "outside-transactions",
};

function writeFile<Row>(
  database: Queryable,
  tab: MovementTab,
  look: MovementLook,
  columns: readonly CsvColumn<Row>[],
  readRows: (database: Queryable, organizationId: string, ids: readonly string[]) => Promise<Row[]>,
  limits: FileLimits,
): AsyncGenerator<string> {
  return writeKeysetFile(database, {
    scanOf: () => listScan(tab, look),
    columns,
    readRows: (ids) => readRows(database, look.organizationId, ids),
    limits,
  });
}

/** The viewer's calendar day of an instant: `2026-11-20`. */
export function dayColumn<Row>({ timeZone }: TimeContext, at: (row: Row) => Date): CsvColumn<Row> {
  return { header: "Date", value: (row) => calendarDate(at(row), timeZone) };
}

/** The time zone of the days, in its own column, because programs read files by header. */
export function zoneColumn({ timeZone }: TimeContext): CsvColumn<unknown> {
  return { header: "Time zone", value: () => timeZone };
}

interface ExportedTransfer extends TransferMovementRow {
  /** Names and hashes; null: none. */
  documents: string | null;
}

async function readExported(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<ExportedTransfer[]> {
  const [rows, documents] = await Promise.all([
    readTransferRows(database, organizationId, ids),
    readDocumentNames(database, organizationId, ids),
  ]);
  return rows.map((row) => ({ ...row, documents: documents.get(row.id) ?? null }));
}

/** Columns of the transfer export. Append new ones at the end: programs read files by position. */
function transferColumns(time: TimeContext, now: Date): CsvColumn<ExportedTransfer>[] {
  return [
    dayColumn(time, (row) => row.createdAt),
    { header: "From", value: (row) => partyNames(row).fromName },
    { header: "To", value: (row) => partyNames(row).toName },
    { header: "Amount (USD)", value: (row) => BigInt(row.amountInCents) },
    { header: "Direction", value: (row) => row.direction },
    { header: "Status", value: (row) => transferStatus(row, now) },
    { header: "Label", value: (row) => row.description },
    { header: "Asked by", value: (row) => row.requesterName },
    { header: "Asked by kind", value: (row) => row.requesterKind },
    { header: "Rule", value: (row) => row.ruleName },
    { header: "Reason", value: (row) => row.reasonForApproval },
    { header: "Decided by", value: (row) => row.decidedByName },
    { header: "Decided at (UTC)", value: (row) => row.decidedAt },
    { header: "Decision note", value: (row) => row.decisionNote },
    { header: "Error", value: (row) => row.errorCode },
    { header: "Created at (UTC)", value: (row) => row.createdAt },
    { header: "Ended at (UTC)", value: (row) => row.completedAt },
    { header: "Expected on", value: (row) => row.expectedOn },
    { header: "Bank reference", value: (row) => row.bankReference },
    { header: "Id", value: (row) => row.id },
    zoneColumn(time),
    { header: "External id", value: (row) => row.externalId },
    { header: "Metadata", value: (row) => (row.metadata.length > 0 ? JSON.stringify(row.metadata) : null) },
    { header: "Documents (SHA-256)", value: (row) => row.documents },
    { header: "Mandate", value: (row) => row.mandateId },
  ];
}

function cardColumns(time: TimeContext): CsvColumn<CardMovementRow>[] {
  return [
    dayColumn(time, (row) => row.createdAt),
    { header: "From", value: (row) => cardPartyNames(row).fromName },
    { header: "To", value: (row) => cardPartyNames(row).toName },
    { header: "Amount (USD)", value: (row) => BigInt(row.amountInCents) },
    { header: "Kind", value: (row) => row.subtype },
    { header: "Card", value: (row) => row.cardName },
    { header: "Card ending", value: (row) => row.numberLast4 },
    { header: "Category", value: (row) => row.category },
    { header: "Recorded at (UTC)", value: (row) => row.createdAt },
    { header: "Settled at (UTC)", value: (row) => row.completedAt },
    { header: "Network reference", value: (row) => row.networkReference },
    { header: "Id", value: (row) => row.id },
    zoneColumn(time),
  ];
}

function outsideColumns(time: TimeContext): CsvColumn<OutsideMovementRow>[] {
  return [
    dayColumn(time, (row) => row.transactionDate),
    { header: "From", value: (row) => outsidePartyNames(row).fromName },
    { header: "To", value: (row) => outsidePartyNames(row).toName },
    { header: "Amount (USD)", value: (row) => BigInt(row.amountInCents) },
    { header: "Direction", value: (row) => row.direction },
    { header: "Status", value: (row) => row.status },
    { header: "Category", value: (row) => row.category },
    { header: "Merchant", value: (row) => row.merchantName },
    { header: "Description", value: (row) => row.description },
    { header: "Account", value: (row) => row.accountName },
    { header: "Dated (UTC)", value: (row) => row.transactionDate },
    { header: "Transfer", value: (row) => row.transferId },
    { header: "Id", value: (row) => row.id },
    zoneColumn(time),
  ];
}

/** What one entry changed on one of the organization's accounts. */
interface AccountLine {
  entryId: string;
  kind: "TRANSFER" | "RETURN" | "CARD";
  bookedAt: Date;
  accountName: string;
  otherName: string;
  /** Negative: money left the account. */
  changeInCents: number;
  description: string | null;
  ruleName: string | null;
  cardName: string | null;
  movementId: string;
}

/** Both sides of an entry, for the accounts in $3 or for all; the clearing ledger is not an account and drops out. */
const SIDES = `
  cross join lateral (values
    (e.debit_ledger_id, -e.amount_in_cents), (e.credit_ledger_id, e.amount_in_cents)) as side (ledger_id, change_in_cents)
  join accounts own on own.organization_id = $1 and own.id = side.ledger_id
    and (cardinality($3::uuid[]) = 0 or own.id = any ($3))`;

/**
 * The entries of these transfers, newest first: none for transfers that never moved, two for returned ones.
 * @param accountIds whose lines; empty: every account's
 */
async function readTransferLines(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
  accountIds: readonly string[],
): Promise<AccountLine[]> {
  const { rows } = await database.query<AccountLine>({
    name: "read_transfer_lines",
    text: `
      select e.id as "entryId", e.kind, e.booked_at as "bookedAt", own.name as "accountName",
          coalesce(other.name, t.counterparty_name, '') as "otherName", side.change_in_cents::bigint as "changeInCents",
          t.description, r.name as "ruleName", null as "cardName", t.id as "movementId"
        from transfers t
        join entries e on e.organization_id = $1 and e.transfer_id = t.id ${SIDES}
        left join accounts other on other.organization_id = $1
          and other.id = case when own.id = t.source_account_id then t.destination_account_id else t.source_account_id end
        left join rules r on r.organization_id = $1 and r.id = t.rule_id
       where t.organization_id = $1 and t.id = any ($2::uuid[])
       order by t.id desc, e.id desc, side.change_in_cents`,
    values: [organizationId, ids, accountIds],
  });
  return rows;
}

/**
 * The entries of these card transactions, newest first.
 * @param accountIds whose lines; empty: every account's
 */
async function readCardLines(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
  accountIds: readonly string[],
): Promise<AccountLine[]> {
  const { rows } = await database.query<AccountLine>({
    name: "read_card_lines",
    text: `
      select e.id as "entryId", e.kind, e.booked_at as "bookedAt", own.name as "accountName",
          t.description as "otherName",
          side.change_in_cents::bigint as "changeInCents", null as description, null as "ruleName",
          c.name as "cardName",
          t.id as "movementId"
        from card_transactions t
        join entries e on e.organization_id = $1 and e.card_transaction_id = t.id ${SIDES}
        join cards c on c.organization_id = $1 and c.id = t.card_id
       where t.organization_id = $1 and t.id = any ($2::uuid[])
       order by t.created_at desc, t.id desc, e.id desc, side.change_in_cents`,
    values: [organizationId, ids, accountIds],
  });
  return rows;
}

/** Columns of the export by account. Append new ones at the end. */
function accountColumns(time: TimeContext): CsvColumn<AccountLine>[] {
  return [
    dayColumn(time, (line) => line.bookedAt),
    { header: "Account", value: (line) => line.accountName },
    { header: "Counterparty", value: (line) => line.otherName },
    { header: "Amount (USD)", value: (line) => BigInt(line.changeInCents) },
    { header: "What", value: (line) => line.kind },
    { header: "Label", value: (line) => line.description },
    { header: "Rule", value: (line) => line.ruleName },
    { header: "Card", value: (line) => line.cardName },
    { header: "Booked at (UTC)", value: (line) => line.bookedAt },
    { header: "Movement id", value: (line) => line.movementId },
    { header: "Entry id", value: (line) => line.entryId },
    zoneColumn(time),
  ];
}

/** Outside accounts have no entries: each transaction is a line of its account, as reported by its institution. */
function outsideAccountColumns(time: TimeContext): CsvColumn<OutsideMovementRow>[] {
  const isOut = (row: OutsideMovementRow) => row.direction === "MONEY_OUT";
  return [
    dayColumn(time, (row) => row.transactionDate),
    { header: "Account", value: (row) => row.accountName },
    {
      header: "Counterparty",
      value: (row) => (isOut(row) ? outsidePartyNames(row).toName : outsidePartyNames(row).fromName),
    },
    {
      header: "Amount (USD)",
      value: (row) => BigInt(isOut(row) ? -row.amountInCents : row.amountInCents),
    },
    { header: "Status", value: (row) => row.status },
    { header: "Category", value: (row) => row.category },
    { header: "Description", value: (row) => row.description },
    { header: "Dated (UTC)", value: (row) => row.transactionDate },
    { header: "Transfer", value: (row) => row.transferId },
    { header: "Id", value: (row) => row.id },
    zoneColumn(time),
  ];
}
