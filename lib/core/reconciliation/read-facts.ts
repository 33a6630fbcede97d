import { bankingDayAt } from "@/lib/contract/banking-days";
import {
  type CauseKind,
  type ComparedLine,
  type ComparedMovement,
  causeKey,
  type KnownCauses,
} from "@/lib/core/reconciliation/compare";
import type { Queryable } from "@/lib/db/transaction";
import type { BankStatementLine } from "@/lib/ports/bank/bank-port";

/** What a statement line settles; null: the bank names nothing of ours. */
export function lineKey(
  line: Pick<BankStatementLine, "kind" | "transferId" | "depositReference" | "cardReference">,
): string | null {
  switch (line.kind) {
    case "ORDER":
    case "ORDER_RETURN":
      return line.transferId === null ? null : causeKey(line.kind, line.transferId);
    case "DEPOSIT":
    case "DEPOSIT_RETURN":
      return line.depositReference === null ? null : causeKey(line.kind, line.depositReference);
    case "CARD":
      return line.cardReference ? causeKey("CARD", line.cardReference) : null;
    default:
      return null;
  }
}

/** Which entries are asked for; those that have their line or were resolved are left out. */
type MovementsOf = { entryIds: readonly string[] } | { keys: readonly string[] };

interface MovementRow {
  entryId: string;
  cause: CauseKind;
  causeId: string;
  amountInCents: number;
  occurredAt: Date;
  sentAt: Date | null;
  expectedDay: string | null;
  isTaken: boolean;
}

export interface Movements {
  /** Without a line. */
  open: ComparedMovement[];
  /** The keys of those that have their line, or were resolved by hand. */
  taken: ReadonlySet<string>;
}

/** Entries that cross the border of the managed accounts, with what the bank said of them. */
export async function readMovements(
  client: Queryable,
  organizationId: string,
  of: MovementsOf,
): Promise<Movements> {
  const entryIds = "entryIds" in of ? of.entryIds : await findEntries(client, organizationId, of.keys);
  const movements = await readAll(client, organizationId, entryIds);
  return {
    open: movements.filter(({ isTaken }) => !isTaken).map(({ isTaken: _, ...movement }) => movement),
    taken: new Set(movements.filter(({ isTaken }) => isTaken).map(({ key }) => key)),
  };
}

/** These entries, whether they have their line or not. */
export async function readAll(
  client: Queryable,
  organizationId: string,
  entryIds: readonly string[],
): Promise<(ComparedMovement & { isTaken: boolean })[]> {
  if (entryIds.length === 0) return [];
  const { rows } = await client.query<MovementRow>({
    name: "read_bank_movements",
    text: `
      select e.id as "entryId",
          case when e.kind = 'CARD' then 'CARD'
            when t.origin in ('DIRECT_DEPOSIT', 'CHECK_DEPOSIT')
              then case e.kind when 'TRANSFER' then 'DEPOSIT' else 'DEPOSIT_RETURN' end
            else case e.kind when 'TRANSFER' then 'ORDER' else 'ORDER_RETURN' end end as cause,
          case when e.kind = 'CARD' then c.network_reference
            when t.origin in ('DIRECT_DEPOSIT', 'CHECK_DEPOSIT') then coalesce(settled.reference, t.id::text)
            else t.id::text end as "causeId",
          case when e.debit_ledger_id = o.clearing_ledger_id then e.amount_in_cents else -e.amount_in_cents end
            as "amountInCents",
          coalesce(c.completed_at, case e.kind when 'RETURN' then returned.occurred_at else settled.occurred_at end,
            e.booked_at) as "occurredAt",
          case when e.kind = 'TRANSFER' then t.accepted_at end as "sentAt",
          case when e.kind = 'TRANSFER' then t.expected_completion_date::text end as "expectedDay",
          exists (select from bank_matches m where m.organization_id = $1 and m.entry_id = e.id)
            or exists (select from bank_differences d where d.organization_id = $1 and d.entry_id = e.id
              and d.state = 'RESOLVED' and d.resolution <> 'ARRIVED')
            or (e.kind = 'TRANSFER' and exists (select from bank_difference_events b where b.organization_id = $1
              and b.transfer_id = t.id and b.kind = 'BOOKED')) as "isTaken"
        from entries e
        join organizations o on o.id = e.organization_id
        left join transfers t on t.organization_id = $1 and t.id = e.transfer_id
        left join card_transactions c on c.organization_id = $1 and c.id = e.card_transaction_id
        left join lateral (
          select n.reference, n.occurred_at from bank_notices n
           where n.organization_id = $1 and n.transfer_id = t.id and n.kind = 'SETTLED'
           order by n.occurred_at limit 1) settled on true
        left join lateral (
          select n.occurred_at from bank_notices n
           where n.organization_id = $1 and n.transfer_id = t.id and n.kind = 'RETURNED'
           order by n.occurred_at limit 1) returned on true
       where e.organization_id = $1 and e.id = any ($2)
       order by e.id`,
    values: [organizationId, entryIds],
  });
  return rows.map((row) => ({ ...toMovement(row), isTaken: row.isTaken }));
}

function toMovement(row: MovementRow): ComparedMovement {
  const day = bankingDayAt(row.occurredAt);
  const isOrder = row.cause === "ORDER";
  return {
    entryId: row.entryId,
    key: causeKey(row.cause, row.causeId),
    amountInCents: row.amountInCents,
    day,
    sentDay: isOrder && row.sentAt ? bankingDayAt(row.sentAt) : day,
    expectedDay: (isOrder && row.expectedDay) || day,
  };
}

/** The entries of these causes, at most one each. */
async function findEntries(
  client: Queryable,
  organizationId: string,
  keys: readonly string[],
): Promise<string[]> {
  const ids = idsByKind(keys);
  const { rows } = await client.query<{ id: string }>({
    name: "find_entries_of_causes",
    text: `
      select e.id from entries e
       where e.organization_id = $1 and e.transfer_id = any ($2::uuid[]) and e.kind = 'TRANSFER'
      union all
      select e.id from entries e
       where e.organization_id = $1 and e.transfer_id = any ($3::uuid[]) and e.kind = 'RETURN'
      union all
      select e.id from bank_notices n
        join entries e on e.organization_id = $1 and e.transfer_id = n.transfer_id and e.kind = 'TRANSFER'
       where n.organization_id = $1 and n.reference = any ($4)
      union all
      select e.id from bank_notices n
        join entries e on e.organization_id = $1 and e.transfer_id = n.transfer_id and e.kind = 'RETURN'
       where n.organization_id = $1 and n.reference = any ($5)
      union all
      select e.id from card_transactions c
        join entries e on e.organization_id = $1 and e.card_transaction_id = c.id
       where c.organization_id = $1 and c.network_reference = any ($6)`,
    values: [
      organizationId,
      ids("ORDER"),
      ids("ORDER_RETURN"),
      ids("DEPOSIT"),
      ids("DEPOSIT_RETURN"),
      ids("CARD"),
    ],
  });
  return rows.map(({ id }) => id);
}

function idsByKind(keys: readonly string[]): (kind: CauseKind) => string[] {
  return (kind) => {
    const start = causeKey(kind, "");
    return keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
  };
}

/** SQL: `bank_lines`, with what was learned later of what a line settles. */
export const KNOWN_LINES = `(
  select kept.organization_id, kept.line_reference, kept.booked_at, kept.day, kept.amount_in_cents, kept.rail,
      kept.description, kept.card_reference, coalesce(learned.kind, kept.kind) as kind,
      coalesce(learned.transfer_id, kept.transfer_id) as transfer_id,
      coalesce(learned.deposit_reference, kept.deposit_reference) as deposit_reference
    from bank_lines kept
    left join bank_line_causes learned on learned.organization_id = kept.organization_id
      and learned.line_reference = kept.line_reference)`;

interface LineRow
  extends Pick<BankStatementLine, "kind" | "transferId" | "depositReference" | "cardReference"> {
  reference: string;
  amountInCents: number;
  day: string;
}

const LINE_COLUMNS = `l.line_reference as reference, l.kind, l.transfer_id as "transferId",
  l.deposit_reference as "depositReference", l.card_reference as "cardReference",
  l.amount_in_cents as "amountInCents", l.day::text`;

function toLine({ reference, amountInCents, day, ...cause }: LineRow): ComparedLine {
  return { reference, key: lineKey(cause), amountInCents, day };
}

/** Lines that still miss their entry, of these causes; with an order's its return, and the other way around. */
export async function readWaitingLines(
  client: Queryable,
  organizationId: string,
  keys: readonly string[],
): Promise<ComparedLine[]> {
  const ids = idsByKind(keys);
  const { rows } = await client.query<LineRow>({
    name: "read_waiting_lines",
    text: `
      select ${LINE_COLUMNS}
        from bank_differences d
        join ${KNOWN_LINES} l on l.organization_id = $1 and l.line_reference = d.line_reference
       where d.organization_id = $1 and d.kind = 'MISSING_HERE' and d.state <> 'RESOLVED'
         and (l.transfer_id = any ($2::uuid[]) or (l.kind in ('DEPOSIT', 'DEPOSIT_RETURN')
           and l.deposit_reference = any ($3)) or (l.kind = 'CARD' and l.card_reference = any ($4)))`,
    values: [
      organizationId,
      [...ids("ORDER"), ...ids("ORDER_RETURN")],
      [...ids("DEPOSIT"), ...ids("DEPOSIT_RETURN")],
      ids("CARD"),
    ],
  });
  return rows.map(toLine);
}

/** Lines of these references. */
export async function readLines(
  client: Queryable,
  organizationId: string,
  references: readonly string[],
): Promise<ComparedLine[]> {
  const { rows } = await client.query<LineRow>({
    name: "read_bank_lines",
    text: `select ${LINE_COLUMNS} from ${KNOWN_LINES} l
      where l.organization_id = $1 and l.line_reference = any ($2)`,
    values: [organizationId, references],
  });
  return rows.map(toLine);
}

/** Of orders that lines name: those on their way, and those that ended without moving money. */
export async function readOrders(
  client: Queryable,
  organizationId: string,
  keys: readonly string[],
): Promise<Pick<KnownCauses, "awaited" | "unmoved">> {
  const ids = idsByKind(keys);
  const { rows } = await client.query<{ id: string; status: string; expectedDay: string | null }>({
    name: "read_unbooked_orders",
    text: `select id, status, expected_completion_date::text as "expectedDay" from transfers
      where organization_id = $1 and id = any ($2::uuid[]) and status in ('PROCESSING', 'FAILED', 'CANCELLED')`,
    values: [organizationId, [...new Set([...ids("ORDER"), ...ids("ORDER_RETURN")])]],
  });
  const awaited = new Map<string, string>();
  const unmoved = new Set<string>();
  for (const { id, status, expectedDay } of rows) {
    if (status !== "PROCESSING") unmoved.add(causeKey("ORDER", id));
    else if (expectedDay !== null) {
      awaited.set(causeKey("ORDER", id), expectedDay);
      awaited.set(causeKey("ORDER_RETURN", id), expectedDay);
    }
  }
  return { awaited, unmoved };
}
