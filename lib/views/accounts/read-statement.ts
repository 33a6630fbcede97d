import { accountHref } from "@/lib/contract/hrefs";
import type { TimeContext } from "@/lib/contract/time-context";
import { type AccountDetailRow, DETAIL_COLUMNS, DETAIL_JOINS } from "@/lib/core/ledger/read-accounts";
import type { Context } from "@/lib/core/shared/context";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { calendarDate, dateOf, dayOf, describeDay } from "@/lib/engine/schedule/calendar-day";
import { instantsOn } from "@/lib/engine/schedule/wall-clock";
import { firstIdAt } from "@/lib/platform/ids";
import {
  ENTRY_MOVEMENT,
  ENTRY_MOVEMENT_JOINS,
  type MovementRow,
  type MovementView,
  toMovement,
} from "@/lib/views/accounts/list-movements";
import { accountPageKind } from "@/lib/views/accounts/read-account-page";
import type { TimedReading } from "@/lib/views/reading";

/** One booked movement with the balance after it. */
export type StatementRowView = Pick<
  MovementView,
  "id" | "at" | "fromName" | "toName" | "about" | "changeInCents"
> & { balanceAfterInCents: number };

export interface StatementBooks {
  openingInCents: number;
  closingInCents: number;
  inInCents: number;
  outInCents: number;
  count: number;
  /** In booking order; for a busy period the first ones, up to the maximum of a statement. */
  rows: StatementRowView[];
  /** Rows left out: how many, and their sum. Null: none. */
  more: {
    count: number;
    netInCents: number;
    /** All of them, in Movements. */
    href: string;
    /** The same statement with the maximum number of rows; null: this is it. */
    whole: { href: string; rowCount: number } | null;
  } | null;
}

/** Statements of more days must be requested year by year. */
const MAXIMUM_DAYS = 366;

const EVERY_MIDNIGHT = { runsOn: () => true, minutesOfDay: [0] };

/** Rows shown at first; the complete period is one tap away. */
const FIRST_ROWS = 100;
/** The most rows a person would print; the export has the rest. */
const MAXIMUM_STATEMENT_ROWS = 1_000;
const MAXIMUM_MONTHS = 24;

/** The statement as requested by the URL. */
export interface AskedStatement extends AskedPeriod {
  /** Show the maximum number of rows instead of the first ones. */
  isWhole: boolean;
}

interface Setting {
  organizationName: string;
  isSandbox: boolean;
}

/**
 * The statement of an account over a period, from its entries; null if the organization has no account with this ID.
 * Everything is read from one snapshot, so that opening balance and movements lead to the closing balance. Any member
 * may read it.
 */
export async function readStatement(
  {
    services,
    context,
    time,
  }: Omit<TimedReading, "context"> & {
    context: Pick<Context, "organizationId" | "now">;
  },
  accountId: string,
  asked: AskedStatement,
  { organizationName, isSandbox }: Setting,
) {
  const period = statementPeriod(asked, context.now, time.timeZone);
  const { from, until } = instantsOf(period, time.timeZone);
  return inTransaction(
    services.pool,
    async (client) => {
      const row = await readAccount(client, context, accountId);
      if (!row) return null;
      const books =
        row.ledgerBalanceInCents === null
          ? null
          : await readBooks(client, context, accountId, row.ledgerBalanceInCents, {
              from,
              until,
              maximumRows: asked.isWhole ? MAXIMUM_STATEMENT_ROWS : FIRST_ROWS,
            });
      return {
        account: describeAccount(row),
        organizationName,
        isSandbox,
        period,
        /** The period is not over: bookings so far. */
        isUnfinished: until > context.now,
        /** Null: not in our books; the account's own bank issues its statement. */
        books: books && withMore(books, accountId, period),
        months: monthLinks(row, period, context.now, time),
        time,
      };
    },
    { isolation: "repeatable read", readOnly: true },
  );
}

/** An account's statement for a period: opening balance, movements, closing balance. */
export type StatementView = NonNullable<Awaited<ReturnType<typeof readStatement>>>;

async function readAccount(
  client: Queryable,
  { organizationId }: Pick<Context, "organizationId">,
  accountId: string,
): Promise<AccountDetailRow | undefined> {
  const { rows } = await client.query<AccountDetailRow>({
    name: "read_statement_account",
    text: `select ${DETAIL_COLUMNS} from accounts a ${DETAIL_JOINS} where a.organization_id = $1 and a.id = $2`,
    values: [organizationId, accountId],
  });
  return rows[0];
}

function describeAccount(row: AccountDetailRow) {
  return {
    id: row.id,
    name: row.name,
    kind: accountPageKind(row),
    href: accountHref(row.id),
    ownerName: row.beneficiaryName,
    institutionName: row.institutionName,
    numberEnding: row.accountNumberLast4,
  };
}

interface TotalsRow {
  netSinceInCents: number;
  netWithinInCents: number;
  inInCents: number;
  outInCents: number;
  count: number;
}

/** Computed backward from the current balance. IDs sort by time of booking, so nothing before the period is read. */
async function readBooks(
  client: Queryable,
  { organizationId }: Pick<Context, "organizationId">,
  accountId: string,
  balanceInCents: number,
  { from, until, maximumRows }: { from: Date; until: Date; maximumRows: number },
) {
  const values = [organizationId, accountId, firstIdAt(from), firstIdAt(until)];
  const { rows: totals } = await client.query<TotalsRow>({
    name: "read_statement_totals",
    text: READ_TOTALS,
    values,
  });
  const { rows } = await client.query<MovementRow>({
    name: "list_statement_rows",
    text: LIST_ROWS,
    values: [...values, maximumRows],
  });
  const total = totals[0];
  if (!total) throw new Error("A sum has no row");
  const openingInCents = balanceInCents - total.netSinceInCents;
  return {
    openingInCents,
    closingInCents: openingInCents + total.netWithinInCents,
    inInCents: total.inInCents,
    outInCents: total.outInCents,
    count: total.count,
    rows: withBalances(openingInCents, rows),
  };
}

const READ_TOTALS = `
  select coalesce(sum(net), 0)::bigint as "netSinceInCents",
      coalesce(sum(net) filter (where id < $4), 0)::bigint as "netWithinInCents",
      coalesce(sum(net) filter (where id < $4 and net > 0), 0)::bigint as "inInCents",
      coalesce(-sum(net) filter (where id < $4 and net < 0), 0)::bigint as "outInCents",
      (count(*) filter (where id < $4))::int as count
    from (
      select id, amount_in_cents as net from entries
       where organization_id = $1 and credit_ledger_id = $2 and id >= $3
      union all
      select id, -amount_in_cents from entries
       where organization_id = $1 and debit_ledger_id = $2 and id >= $3) moved`;

/** Both sides are read by index from the start of the period, only as far as the statement's row limit. */
const LIST_ROWS = `
  with page as (
    select id, is_in from (
      (select id, true as is_in from entries
        where organization_id = $1 and credit_ledger_id = $2 and id >= $3 and id < $4 order by id limit $5)
      union all
      (select id, false from entries
        where organization_id = $1 and debit_ledger_id = $2 and id >= $3 and id < $4 order by id limit $5)) sides
    order by id limit $5)
  select page.is_in as "isIn", null::bigint as "balanceAfterInCents", ${ENTRY_MOVEMENT}
    from page join entries e on e.organization_id = $1 and e.id = page.id ${ENTRY_MOVEMENT_JOINS}
   order by page.id`;

function withBalances(openingInCents: number, rows: readonly MovementRow[]) {
  let balanceAfterInCents = openingInCents;
  return rows.map((row) => {
    const { id, at, fromName, toName, about, changeInCents } = toMovement(row);
    balanceAfterInCents += changeInCents;
    return { id, at, fromName, toName, about, changeInCents, balanceAfterInCents };
  });
}

function withMore(
  books: Omit<StatementBooks, "more">,
  accountId: string,
  { from, to }: StatementPeriod,
): StatementBooks {
  const count = books.count - books.rows.length;
  if (count === 0) return { ...books, more: null };
  const reached = books.rows.at(-1)?.balanceAfterInCents ?? books.openingInCents;
  const query = new URLSearchParams({ account: accountId, from, to });
  const whole = new URLSearchParams({ from, to, rows: "all" });
  return {
    ...books,
    more: {
      count,
      netInCents: books.closingInCents - reached,
      href: `/transfers?${query}`,
      whole:
        books.rows.length < MAXIMUM_STATEMENT_ROWS
          ? {
              href: `${accountHref(accountId)}/statement?${whole}`,
              rowCount: Math.min(books.count, MAXIMUM_STATEMENT_ROWS),
            }
          : null,
    },
  };
}

function monthLinks(
  row: AccountDetailRow,
  period: StatementPeriod,
  now: Date,
  { timeZone, locale }: TimeContext,
) {
  const format = new Intl.DateTimeFormat(locale, { month: "short", year: "numeric", timeZone: "UTC" });
  return monthsSince(row.createdAt, now, timeZone, MAXIMUM_MONTHS).map((month) => {
    const own = monthPeriod(month);
    return {
      label: format.format(new Date(`${month}-15T12:00:00Z`)),
      href: `${accountHref(row.id)}/statement?month=${month}`,
      isCurrent: own.from === period.from && own.to === period.to,
    };
  });
}

/** The period as requested by the URL; unreadable values are null. */
export interface AskedPeriod {
  /** `YYYY-MM` */
  month: string | null;
  /** `YYYY-MM-DD`, both inclusive. */
  from: string | null;
  to: string | null;
}

/** The requested period: the days, else the month, else the current month. Pure. */
export function statementPeriod(asked: AskedPeriod, now: Date, timeZone: string) {
  const today = calendarDate(now, timeZone);
  if (asked.from !== null && asked.to !== null) {
    const [first, last] = [dayOf(asked.from), dayOf(asked.to)].sort((left, right) => left - right);
    if (first !== undefined && last !== undefined) {
      return { from: dateOf(first), to: dateOf(Math.min(last, first + MAXIMUM_DAYS - 1)) };
    }
  }
  return monthPeriod(asked.month ?? today.slice(0, 7));
}

/** Calendar dates in the organization's zone, both inclusive. */
export type StatementPeriod = ReturnType<typeof statementPeriod>;

/** @param month `YYYY-MM` */
export function monthPeriod(month: string) {
  const from = `${month}-01`;
  const first = dayOf(from);
  return { from, to: dateOf(first + describeDay(first).lastOfMonth - 1) };
}

/** When a period begins and ends: midnights in the time zone. */
export function instantsOf({ from, to }: StatementPeriod, timeZone: string): { from: Date; until: Date } {
  return { from: midnight(dayOf(from), timeZone), until: midnight(dayOf(to) + 1, timeZone) };
}

/** If clocks skip midnight, the first moment after the gap. */
function midnight(day: number, timeZone: string): Date {
  const [first] = instantsOn(day, EVERY_MIDNIGHT, timeZone);
  if (first === undefined) throw new Error(`The day ${dateOf(day)} has no beginning in ${timeZone}`);
  return new Date(first);
}

/** The last months in which the account existed, newest first. */
function monthsSince(createdAt: Date, now: Date, timeZone: string, limit: number): string[] {
  const months: string[] = [];
  const first = calendarDate(createdAt, timeZone).slice(0, 7);
  let month = calendarDate(now, timeZone).slice(0, 7);
  while (months.length < limit && month >= first) {
    months.push(month);
    month = dateOf(dayOf(`${month}-01`) - 1).slice(0, 7);
  }
  return months;
}
