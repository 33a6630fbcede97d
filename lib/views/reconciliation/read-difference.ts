import { differenceHref } from "@/lib/contract/hrefs";
import { IS_FOREIGN_ORDER, isBookable } from "@/lib/core/reconciliation/foreign-orders";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import type { BankStatementLineKind } from "@/lib/ports/bank/bank-port";
import type { TimedReading } from "@/lib/views/reading";
import {
  DIFFERENCE_COLUMNS,
  DIFFERENCE_JOINS,
  type DifferenceRow,
  type DifferenceRowView,
  toDifferenceRow,
} from "@/lib/views/reconciliation/read-reconciliation";

export interface DifferenceEventView {
  key: string;
  kind:
    | "FOUND"
    | "OPENED"
    | "ASKED_BANK"
    | "ARRIVED"
    | "CANCELED_OUT"
    | "CHANGED_BACK"
    | "CHANGED_AGAIN"
    | "MATCHED_BY_HAND"
    | "BOOKED"
    | "ACCEPTED";
  /** Null: the reconciliation itself. */
  byName: string | null;
  at: string;
  note: string | null;
  transferHref: string | null;
  otherHref: string | null;
}

const MAXIMUM_CANDIDATES = 50;
const MAXIMUM_ACCOUNTS = 1_000;
const MAXIMUM_EVENTS = 100;

type Row = DifferenceRow & {
  foundAt: Date;
  differsFrom: string;
  line: { reference: string; kind: string; isForeign: boolean; day: string; description: string } | null;
  /** Of a line that the bank changed: as it was before. `kind` is null if it is the same. */
  before: { day: string; kind: BankStatementLineKind | null; nowKind: BankStatementLineKind } | null;
  /** The line as it was kept has a difference too. */
  isLineUnresolved: boolean;
  entryDay: string | null;
  /** Positive: into the managed accounts. */
  entryInCents: number;
  entryName: string | null;
  transferId: string | null;
  cardTransactionId: string | null;
};

/** One difference with both sides, its history, and what it may be matched with or booked to; null: there is none. */
export async function readDifference({ services, context, time }: TimedReading, id: string) {
  const { pool } = services;
  const { organizationId } = context;
  const { rows } = await pool.query<Row>({
    name: "read_difference",
    text: `select ${DIFFERENCE_COLUMNS}, d.found_at as "foundAt", d.differs_from::text as "differsFrom",
        case when l.line_reference is not null then json_build_object('reference', l.line_reference, 'kind', l.kind,
          'isForeign', ${IS_FOREIGN_ORDER}, 'day', coalesce(now.day, l.day)::text,
          'description', l.description) end as line,
        case when now.line_reference is not null then json_build_object('day', now.was_day,
          'kind', nullif(now.was_kind, now.kind), 'nowKind', now.kind) end as before,
        d.kind = 'LINE_CHANGED' and exists (select from bank_differences other where other.organization_id = $1
          and other.line_reference = d.line_reference and other.id <> d.id and other.state <> 'RESOLVED')
          as "isLineUnresolved",
        (e.booked_at at time zone 'America/New_York')::date::text as "entryDay",
        case when e.debit_ledger_id = (select clearing_ledger_id from organizations where id = $1)
          then e.amount_in_cents else -e.amount_in_cents end as "entryInCents",
        coalesce(c.description, t.counterparty_name, outside.name) as "entryName",
        t.id as "transferId", c.id as "cardTransactionId"
      from bank_differences d ${DIFFERENCE_JOINS}
      left join bank_line_changes now on now.organization_id = $1 and now.difference_id = d.id
     where d.organization_id = $1 and d.id = $2`,
    values: [organizationId, id],
  });
  const row = rows[0];
  if (!row) return null;
  const { foundAt, entryDay, entryInCents, entryName, transferId, cardTransactionId, ...difference } = row;
  const isOpen = row.state === "OPEN";
  const differsInAmount = row.bankInCents !== row.booksInCents;
  const mayBeBooked =
    row.kind === "LINE_CHANGED"
      ? differsInAmount && !row.isLineUnresolved
      : row.kind === "MISSING_HERE" && row.line !== null && isBookable(row.line);
  const [candidates, accounts, events] = await Promise.all([
    isOpen && differsInAmount ? listCandidates(pool, organizationId, row) : [],
    isOpen && mayBeBooked ? listAccounts(pool, organizationId) : null,
    listEvents(pool, organizationId, id, foundAt),
  ]);
  return {
    ...toDifferenceRow(difference),
    /** Until this banking day, settlement explains it. */
    differsFrom: row.differsFrom,
    line: row.line,
    before: row.before,
    /** Its line as it was kept has a difference too, which comes first. */
    isLineUnresolved: row.isLineUnresolved,
    entry:
      entryDay === null
        ? null
        : {
            day: entryDay,
            amountInCents: entryInCents,
            name: entryName ?? "",
            href: movementHref(transferId, cardTransactionId),
          },
    /** Open differences that cancel it out, to be matched by hand. */
    candidates,
    /** Accounts to book it from or to; null: it is not of that kind. */
    accounts,
    events,
    viewer: { canResolve: mayDecide(context.actor) },
    time,
  };
}

export type DifferenceView = NonNullable<Awaited<ReturnType<typeof readDifference>>>;

function movementHref(transferId: string | null, cardTransactionId: string | null): string | null {
  if (transferId !== null) return `/transfers/${transferId}`;
  return cardTransactionId === null ? null : `/transfers/cards/${cardTransactionId}`;
}

async function listCandidates(
  database: Queryable,
  organizationId: string,
  { id, bankInCents, booksInCents }: Pick<DifferenceRow, "id" | "bankInCents" | "booksInCents">,
): Promise<DifferenceRowView[]> {
  const { rows } = await database.query<DifferenceRow>({
    name: "list_difference_candidates",
    text: `select ${DIFFERENCE_COLUMNS} from bank_differences d ${DIFFERENCE_JOINS}
      where d.organization_id = $1 and d.state = 'OPEN' and d.id <> $2
        and d.bank_in_cents - d.books_in_cents = $3
      order by d.id limit ${MAXIMUM_CANDIDATES}`,
    values: [organizationId, id, booksInCents - bankInCents],
  });
  return rows.map(toDifferenceRow);
}

async function listAccounts(
  database: Queryable,
  organizationId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await database.query<{ id: string; name: string }>({
    name: "list_accounts_to_book",
    text: `select id, name from accounts where organization_id = $1 and type in ('POD', 'INCOME_SOURCE')
        and deleted_at is null order by lower(name), id limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId],
  });
  return rows;
}

/** The latest first; it begins with finding it. */
async function listEvents(
  database: Queryable,
  organizationId: string,
  differenceId: string,
  foundAt: Date,
): Promise<DifferenceEventView[]> {
  const { rows } = await database.query<{
    key: string;
    kind: DifferenceEventView["kind"];
    byName: string | null;
    at: Date;
    note: string | null;
    transferId: string | null;
    otherId: string | null;
  }>({
    name: "list_difference_events",
    text: `select id as key, kind, by_name as "byName", at, note, transfer_id as "transferId", other_id as "otherId"
      from bank_difference_events where organization_id = $1 and difference_id = $2
      order by id desc limit ${MAXIMUM_EVENTS}`,
    values: [organizationId, differenceId],
  });
  const events = rows.map(({ at, transferId, otherId, ...event }) => ({
    ...event,
    at: at.toISOString(),
    transferHref: transferId === null ? null : `/transfers/${transferId}`,
    otherHref: otherId === null ? null : differenceHref(otherId),
  }));
  return [
    ...events,
    {
      key: "found",
      kind: "FOUND",
      byName: null,
      at: foundAt.toISOString(),
      note: null,
      transferHref: null,
      otherHref: null,
    },
  ];
}
