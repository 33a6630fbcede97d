import type { BankRail } from "@/lib/contract/bank-capabilities";
import { differenceHref } from "@/lib/contract/hrefs";
import type { DifferenceKind, DifferenceResolution } from "@/lib/contract/reconciliation";
import { findBrokenDay } from "@/lib/core/reconciliation/proof-of-day";
import { KNOWN_LINES } from "@/lib/core/reconciliation/read-facts";
import { mayDecide } from "@/lib/core/shared/permits";
import { readNewsLateSince } from "@/lib/core/transfers/bank-news";
import type { Queryable } from "@/lib/db/transaction";
import type { TimedReading } from "@/lib/views/reading";

/** How the last reconciliation ended: bank − books = expected + open + unexplained. */
export interface BankAgreementView {
  reconciledAt: string;
  bankInCents: number;
  /** All pods and income sources together. */
  booksInCents: number;
  /** What settlement explains. */
  expectedInCents: number;
  openInCents: number;
  /** Not 0 if the statement does not add up to the balance. */
  unexplainedInCents: number;
  openCount: number;
}

export interface DifferenceRowView {
  id: string;
  href: string;
  kind: DifferenceKind;
  state: "EXPECTED" | "OPEN" | "RESOLVED";
  resolution: DifferenceResolution | null;
  /** 0 on the side that lacks it. Of a line that the bank changed: what it says now, and what it said before. */
  bankInCents: number;
  booksInCents: number;
  /** `YYYY-MM-DD`: banking day of the line, else of the entry. */
  day: string;
  /** The bank's text, or the other party of the entry. */
  description: string;
  askedBankAt: string | null;
  /** How the line traveled; null: it did not, or the bank does not say. */
  rail: BankRail | null;
}

export interface ReconciledDayView {
  /** `YYYY-MM-DD` */
  day: string;
  bankInCents: number;
  booksInCents: number;
  unexplainedInCents: number;
  lineCount: number;
  matchedCount: number;
  openCount: number;
}

const MAXIMUM_OPEN = 100;
const MAXIMUM_EXPECTED = 20;
const MAXIMUM_RESOLVED = 20;
const MAXIMUM_DAYS = 30;

/** What bank and books agree and differ on, and the proofs of the last days. */
export async function readReconciliation({ services, context, time }: TimedReading, bankName: string) {
  const { pool } = services;
  const { organizationId } = context;
  const [agreement, isUnderWay, open, expected, resolved, expectedCount, days, brokenDay, newsLateSince] =
    await Promise.all([
      readBankAgreement(pool, organizationId),
      isAsked(pool, organizationId),
      listDifferences(pool, organizationId, "OPEN", MAXIMUM_OPEN),
      listDifferences(pool, organizationId, "EXPECTED", MAXIMUM_EXPECTED),
      listDifferences(pool, organizationId, "RESOLVED", MAXIMUM_RESOLVED),
      countExpected(pool, organizationId),
      listDays(pool, organizationId),
      findBrokenDay(pool, organizationId),
      readNewsLateSince(pool, organizationId, context.now),
    ]);
  return {
    agreement,
    /** A member asked, and it has not ended yet. */
    isUnderWay,
    bankName,
    open,
    expected,
    expectedCount,
    /** Resolved lately, the latest first. */
    resolved,
    days,
    /** The first day whose seal does not fit; null: all fit. */
    brokenDay,
    /** As on the accounts page. */
    bankNewsLateSince: newsLateSince?.toISOString() ?? null,
    viewer: { canResolve: mayDecide(context.actor) },
    time,
  };
}

export type ReconciliationView = Awaited<ReturnType<typeof readReconciliation>>;

/** How the last reconciliation ended; null before the first one. */
export async function readBankAgreement(
  database: Queryable,
  organizationId: string,
): Promise<BankAgreementView | null> {
  const { rows } = await database.query<Omit<BankAgreementView, "reconciledAt"> & { reconciledAt: Date }>({
    name: "read_bank_agreement",
    text: `select reconciled_at as "reconciledAt", bank_in_cents as "bankInCents", books_in_cents as "booksInCents",
        expected_in_cents as "expectedInCents", open_in_cents as "openInCents",
        unexplained_in_cents as "unexplainedInCents",
        (select count(*) from bank_differences d where d.organization_id = $1 and d.state = 'OPEN')::int as "openCount"
      from reconciliations where organization_id = $1 and reconciled_at is not null`,
    values: [organizationId],
  });
  return rows[0] ? { ...rows[0], reconciledAt: rows[0].reconciledAt.toISOString() } : null;
}

async function isAsked(database: Queryable, organizationId: string): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "is_reconciliation_asked",
    text: "select from reconciliations where organization_id = $1 and asked_at is not null",
    values: [organizationId],
  });
  return rowCount === 1;
}

async function countExpected(database: Queryable, organizationId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    name: "count_expected_differences",
    text: "select count(*)::int as count from bank_differences where organization_id = $1 and state = 'EXPECTED'",
    values: [organizationId],
  });
  return rows[0]?.count ?? 0;
}

/** From `bank_differences d` with its line `l` and its entry's transfer `t` or card transaction `c`. */
export const DIFFERENCE_COLUMNS = `
  d.id, d.kind, d.state, d.resolution, d.bank_in_cents as "bankInCents", d.books_in_cents as "booksInCents",
  d.day::text, coalesce(l.description, c.description, t.counterparty_name, outside.name, '') as description,
  d.asked_bank_at as "askedBankAt", l.rail`;

export const DIFFERENCE_JOINS = `
  left join ${KNOWN_LINES} l on l.organization_id = d.organization_id and l.line_reference = d.line_reference
  left join bank_matches m on d.kind = 'LINE_CHANGED' and m.organization_id = d.organization_id
    and m.line_reference = d.line_reference
  left join entries e on e.organization_id = d.organization_id and e.id = coalesce(d.entry_id, m.entry_id)
  left join transfers t on t.organization_id = d.organization_id and t.id = e.transfer_id
  left join card_transactions c on c.organization_id = d.organization_id and c.id = e.card_transaction_id
  left join accounts outside on outside.organization_id = d.organization_id and outside.type = 'EXTERNAL_ACCOUNT'
    and outside.id in (t.source_account_id, t.destination_account_id)`;

export type DifferenceRow = Omit<DifferenceRowView, "href" | "askedBankAt"> & { askedBankAt: Date | null };

export function toDifferenceRow(row: DifferenceRow): DifferenceRowView {
  return { ...row, href: differenceHref(row.id), askedBankAt: row.askedBankAt?.toISOString() ?? null };
}

/** What ended before settlement stopped explaining it needed nobody, and is not listed. */
const LISTED = {
  OPEN: "d.state = 'OPEN' order by d.id",
  EXPECTED: "d.state = 'EXPECTED' order by d.id",
  RESOLVED: "d.state = 'RESOLVED' and d.opened_at is not null order by d.resolved_at desc, d.id desc",
} as const satisfies Record<DifferenceRowView["state"], string>;

async function listDifferences(
  database: Queryable,
  organizationId: string,
  state: DifferenceRowView["state"],
  limit: number,
): Promise<DifferenceRowView[]> {
  const { rows } = await database.query<DifferenceRow>({
    text: `select ${DIFFERENCE_COLUMNS} from bank_differences d ${DIFFERENCE_JOINS}
      where d.organization_id = $1 and ${LISTED[state]} limit $2`,
    values: [organizationId, limit],
  });
  return rows.map(toDifferenceRow);
}

async function listDays(database: Queryable, organizationId: string): Promise<ReconciledDayView[]> {
  const { rows } = await database.query<ReconciledDayView>({
    name: "list_reconciliation_days",
    text: `select day::text, bank_in_cents as "bankInCents", books_in_cents as "booksInCents",
        unexplained_in_cents as "unexplainedInCents", line_count as "lineCount", matched_count as "matchedCount",
        open_count as "openCount"
      from reconciliation_days where organization_id = $1 order by sequence desc limit ${MAXIMUM_DAYS}`,
    values: [organizationId],
  });
  return rows;
}
