import type { TimeContext } from "@/lib/contract/views/time-context";
import type { CsvColumn } from "@/lib/core/shared/csv";
import type { Queryable } from "@/lib/db/transaction";
import { dayColumn, zoneColumn } from "@/lib/views/movements/export-columns";
import { type OutsideMovementRow, outsidePartyNames } from "@/lib/views/movements/outside-movement-row";

/** What one booking changed on one account of the organization. */
export interface AccountLine {
  entry_id: string;
  kind: "TRANSFER" | "RETURN" | "CARD";
  booked_at: Date;
  account_name: string;
  other_name: string;
  /** Below zero: it left the account. */
  change_in_cents: number;
  description: string | null;
  rule_name: string | null;
  card_name: string | null;
  movement_id: string;
}

/** Both sides of an entry, of the accounts in $3 or of all; the clearing ledger, which is no account, falls away. */
const SIDES = `
  cross join lateral (values
    (e.debit_ledger_id, -e.amount_in_cents), (e.credit_ledger_id, e.amount_in_cents)) as side (ledger_id, change_in_cents)
  join accounts own on own.organization_id = $1 and own.id = side.ledger_id
    and (cardinality($3::uuid[]) = 0 or own.id = any ($3))`;

/**
 * What was booked of these transfers, newest first: nothing of what never moved, and both ways of what came back.
 * @param accountIds whose lines; none: those of every account
 */
export async function readTransferLines(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
  accountIds: readonly string[],
): Promise<AccountLine[]> {
  const { rows } = await database.query<AccountLine>({
    name: "read_transfer_lines",
    text: `
      select e.id as entry_id, e.kind, e.booked_at, own.name as account_name,
          coalesce(other.name, t.counterparty_name, '') as other_name, side.change_in_cents::bigint as change_in_cents,
          t.description, r.name as rule_name, null as card_name, t.id as movement_id
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
 * What was booked of these card transactions, newest first.
 * @param accountIds whose lines; none: those of every account
 */
export async function readCardLines(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
  accountIds: readonly string[],
): Promise<AccountLine[]> {
  const { rows } = await database.query<AccountLine>({
    name: "read_card_lines",
    text: `
      select e.id as entry_id, e.kind, e.booked_at, own.name as account_name, t.description as other_name,
          side.change_in_cents::bigint as change_in_cents, null as description, null as rule_name, c.name as card_name,
          t.id as movement_id
        from card_transactions t
        join entries e on e.organization_id = $1 and e.card_transaction_id = t.id ${SIDES}
        join cards c on c.organization_id = $1 and c.id = t.card_id
       where t.organization_id = $1 and t.id = any ($2::uuid[])
       order by t.created_at desc, t.id desc, e.id desc, side.change_in_cents`,
    values: [organizationId, ids, accountIds],
  });
  return rows;
}

/** The columns of a file by account. A new one is added at the end. */
export function accountColumns(time: TimeContext): CsvColumn<AccountLine>[] {
  return [
    dayColumn(time, (line) => line.booked_at),
    { header: "Account", value: (line) => line.account_name },
    { header: "Counterparty", value: (line) => line.other_name },
    { header: "Amount (USD)", value: (line) => BigInt(line.change_in_cents) },
    { header: "What", value: (line) => line.kind },
    { header: "Label", value: (line) => line.description },
    { header: "Rule", value: (line) => line.rule_name },
    { header: "Card", value: (line) => line.card_name },
    { header: "Booked at (UTC)", value: (line) => line.booked_at },
    { header: "Movement id", value: (line) => line.movement_id },
    { header: "Entry id", value: (line) => line.entry_id },
    zoneColumn(time),
  ];
}

/** Of accounts outside there are no entries: each transaction is a line of its account, as its institution tells it. */
export function outsideAccountColumns(time: TimeContext): CsvColumn<OutsideMovementRow>[] {
  const isOut = (row: OutsideMovementRow) => row.direction === "MONEY_OUT";
  return [
    dayColumn(time, (row) => row.transaction_date),
    { header: "Account", value: (row) => row.account_name },
    {
      header: "Counterparty",
      value: (row) => (isOut(row) ? outsidePartyNames(row).toName : outsidePartyNames(row).fromName),
    },
    {
      header: "Amount (USD)",
      value: (row) => BigInt(isOut(row) ? -row.amount_in_cents : row.amount_in_cents),
    },
    { header: "Status", value: (row) => row.status },
    { header: "Category", value: (row) => row.category },
    { header: "Description", value: (row) => row.description },
    { header: "Dated (UTC)", value: (row) => row.transaction_date },
    { header: "Transfer", value: (row) => row.transfer_id },
    { header: "Id", value: (row) => row.id },
    zoneColumn(time),
  ];
}
