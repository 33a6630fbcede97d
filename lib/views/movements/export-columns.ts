import type { TimeContext } from "@/lib/contract/views/time-context";
import type { CsvColumn } from "@/lib/core/shared/csv";
import { calendarDate } from "@/lib/engine/calendar-date";
import { type CardMovementRow, cardPartyNames } from "@/lib/views/movements/card-movement-row";
import { type OutsideMovementRow, outsidePartyNames } from "@/lib/views/movements/outside-movement-row";
import {
  partyNames,
  type TransferMovementRow,
  transferStatus,
} from "@/lib/views/movements/transfer-movement-row";

/** A day of the viewer, beside the instant that it lies in: `2026-11-20`. */
export function dayColumn<Row>({ timeZone }: TimeContext, at: (row: Row) => Date): CsvColumn<Row> {
  return { header: "Date", value: (row) => calendarDate(at(row), timeZone) };
}

/** The zone that the days are of: in a column of its own, since programs read files by their headers. */
export function zoneColumn({ timeZone }: TimeContext): CsvColumn<unknown> {
  return { header: "Time zone", value: () => timeZone };
}

/** The columns of a file of transfers. A new one is added at the end: programs read files by place. */
export function transferColumns(time: TimeContext, now: Date): CsvColumn<TransferMovementRow>[] {
  return [
    dayColumn(time, (row) => row.created_at),
    { header: "From", value: (row) => partyNames(row).fromName },
    { header: "To", value: (row) => partyNames(row).toName },
    { header: "Amount (USD)", value: (row) => BigInt(row.amount_in_cents) },
    { header: "Direction", value: (row) => row.direction },
    { header: "Status", value: (row) => transferStatus(row, now) },
    { header: "Label", value: (row) => row.description },
    { header: "Asked by", value: (row) => row.asker_name },
    { header: "Asked by kind", value: (row) => row.asker_kind },
    { header: "Rule", value: (row) => row.rule_name },
    { header: "Reason", value: (row) => row.reason_for_approval },
    { header: "Decided by", value: (row) => row.decided_by_name },
    { header: "Decided at (UTC)", value: (row) => row.decided_at },
    { header: "Decision note", value: (row) => row.decision_note },
    { header: "Error", value: (row) => row.error_code },
    { header: "Created at (UTC)", value: (row) => row.created_at },
    { header: "Ended at (UTC)", value: (row) => row.completed_at },
    { header: "Expected on", value: (row) => row.expected_on },
    { header: "Bank reference", value: (row) => row.bank_reference },
    { header: "Id", value: (row) => row.id },
    zoneColumn(time),
  ];
}

export function cardColumns(time: TimeContext): CsvColumn<CardMovementRow>[] {
  return [
    dayColumn(time, (row) => row.created_at),
    { header: "From", value: (row) => cardPartyNames(row).fromName },
    { header: "To", value: (row) => cardPartyNames(row).toName },
    { header: "Amount (USD)", value: (row) => BigInt(row.amount_in_cents) },
    { header: "Kind", value: (row) => row.subtype },
    { header: "Card", value: (row) => row.card_name },
    { header: "Card ending", value: (row) => row.number_last4 },
    { header: "Category", value: (row) => row.category },
    { header: "Recorded at (UTC)", value: (row) => row.created_at },
    { header: "Settled at (UTC)", value: (row) => row.completed_at },
    { header: "Network reference", value: (row) => row.network_reference },
    { header: "Id", value: (row) => row.id },
    zoneColumn(time),
  ];
}

export function outsideColumns(time: TimeContext): CsvColumn<OutsideMovementRow>[] {
  return [
    dayColumn(time, (row) => row.transaction_date),
    { header: "From", value: (row) => outsidePartyNames(row).fromName },
    { header: "To", value: (row) => outsidePartyNames(row).toName },
    { header: "Amount (USD)", value: (row) => BigInt(row.amount_in_cents) },
    { header: "Direction", value: (row) => row.direction },
    { header: "Status", value: (row) => row.status },
    { header: "Category", value: (row) => row.category },
    { header: "Merchant", value: (row) => row.merchant_name },
    { header: "Description", value: (row) => row.description },
    { header: "Account", value: (row) => row.account_name },
    { header: "Dated (UTC)", value: (row) => row.transaction_date },
    { header: "Transfer", value: (row) => row.transfer_id },
    { header: "Id", value: (row) => row.id },
    zoneColumn(time),
  ];
}
