import { accountHref, connectionHref } from "@/lib/contract/hrefs";
import type { LookAlike } from "@/lib/contract/input/look-alike";
import {
  type AccountSectionName,
  type AccountsSearch,
  accountsHref,
} from "@/lib/contract/search/list-search";
import { type AccountDetailRow, DETAIL_COLUMNS, DETAIL_JOINS } from "@/lib/core/ledger/read-accounts";
import { readInSluice } from "@/lib/core/ledger/read-in-sluice";
import type { Context } from "@/lib/core/shared/context";
import { readLookAlikeParties } from "@/lib/core/shared/look-alikes";
import { mayDecide } from "@/lib/core/shared/permits";
import { readNewsLateSince } from "@/lib/core/transfers/bank-news";
import type { Queryable } from "@/lib/db/transaction";
import { listWaitingSubjects, type WaitingSubject } from "@/lib/views/approvals/list-waiting-subjects";
import type { TimedReading } from "@/lib/views/reading";
import { readBankAgreement } from "@/lib/views/reconciliation/read-reconciliation";

/** Accounts per section on the overview, and per page of a single section. */
const FIRST_ROWS = 6;
const PAGE_SIZE = 25;

/** The accounts of organization `$1` with their sections; a closed outside account has none. */
const SECTIONED = `
  select a.id, coalesce(l.credits_in_cents - l.debits_in_cents, p.balance_in_cents) as balance_in_cents,
      case when a.deleted_at is not null then case when l.id is not null then 'closed' end
        when a.type = 'POD' then 'pods'
        when a.type = 'INCOME_SOURCE' then 'income'
        when a.external_account_type = 'LIABILITY' then 'owed'
        else 'outside' end as section
    from accounts a
    left join ledgers l on l.organization_id = a.organization_id and l.id = a.id
    left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
   where a.organization_id = $1 and not a.is_payee`;

type Row = AccountDetailRow & {
  section: AccountSectionName;
  paidFromName: string | null;
  connectionId: string | null;
};

/**
 * The organization's accounts with their balances, closed ones separate. It reads in full only the accounts that it
 * shows; sums cover all.
 */
export async function readAccountsPage({ services, context, time }: TimedReading, search: AccountsSearch) {
  const { pool } = services;
  const [rows, inSluice, sums, subjects, bankAgreement, newsLateSince, lookAlikes] = await Promise.all([
    readRows(pool, context, search),
    readInSluice(pool, context.organizationId),
    readSums(pool, context),
    listWaitingSubjects(pool, context),
    readBankAgreement(pool, context.organizationId),
    readNewsLateSince(pool, context.organizationId, context.now),
    readLookAlikeParties(pool, context.organizationId),
  ]);
  const waiting = waitingOut(subjects);
  const toManagedRow = (row: Row) => toManaged(row, waiting.get(row.id) ?? null);
  const of = (section: AccountSectionName) => rows.filter((row) => row.section === section);
  const { only, page } = search;
  const lastPage = only === null ? 1 : Math.max(1, Math.ceil(sums[only].count / PAGE_SIZE));
  return {
    search,
    /** How many accounts each section has, shown or not. */
    counts: {
      income: sums.income.count,
      pods: sums.pods.count,
      outside: sums.outside.count,
      owed: sums.owed.count,
      closed: sums.closed.count,
    },
    /** 1-based, of the first row of a section. */
    firstPosition: firstOf(search) + 1,
    // Past the end of the list, the way back is the last page.
    previousHref:
      only !== null && page > 1 ? accountsHref({ only, page: Math.min(page - 1, lastPage) }) : null,
    nextHref: page < lastPage ? accountsHref({ only, page: page + 1 }) : null,
    inSluice,
    /** Null before the first reconciliation. */
    bankAgreement,
    /** Since when deposits and returns may be missing; null: the bank's news is complete. */
    bankNewsLateSince: newsLateSince?.toISOString() ?? null,
    incomeSources: of("income").map(toManagedRow),
    incomeTotalInCents: sums.income.totalInCents ?? 0,
    pods: of("pods").map(toManagedRow),
    /** Of all of them, shown or not, like the total of the income sources. */
    podsTotalInCents: sums.pods.totalInCents ?? 0,
    /** Null if any balance is unknown: it is never treated as zero. */
    outsideTotalInCents: sums.outside.totalInCents,
    owedTotalInCents: sums.owed.totalInCents,
    outside: of("outside").map(toOutside),
    owed: of("owed").map(toOwed),
    closed: of("closed").flatMap(toClosed),
    /** Of the open accounts shown, those whose name looks the same as another one's, by id. */
    lookAlikes: Object.fromEntries(
      rows.flatMap(({ id }): [string, LookAlike][] => {
        const alike = lookAlikes.get(id);
        return alike ? [[id, alike]] : [];
      }),
    ),
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

/** Everything on the accounts page: the beginning of each section, or a page of the selected one. */
export type AccountsView = Awaited<ReturnType<typeof readAccountsPage>>;

/** How many rows of the section precede the page. */
function firstOf({ only, page }: AccountsSearch): number {
  return only === null ? 0 : (page - 1) * PAGE_SIZE;
}

async function readRows(database: Queryable, context: Context, search: AccountsSearch): Promise<Row[]> {
  const first = firstOf(search);
  const { rows } = await database.query<Row>({
    name: "read_accounts_page",
    text: `
      with listed as materialized (
        select id, section, row_number() over (partition by section order by id) as place from (${SECTIONED}) sectioned
         where section is not null and ($2::text is null or section = $2))
      select ${DETAIL_COLUMNS}, listed.section, paying.name as "paidFromName", a.connection_id as "connectionId"
        from listed
        join accounts a on a.organization_id = $1 and a.id = listed.id ${DETAIL_JOINS}
        left join lateral (
          select min(pod.name) as name from accounts pod
           where listed.section = 'owed' and pod.organization_id = $1 and pod.linked_account_id = a.id
             and pod.deleted_at is null) paying on true
       where listed.place > $3 and listed.place <= $4
       order by a.id`,
    values: [
      context.organizationId,
      search.only,
      first,
      first + (search.only === null ? FIRST_ROWS : PAGE_SIZE),
    ],
  });
  return rows;
}

interface SectionSum {
  count: number;
  /** Null if any balance is unknown: it is never treated as zero. */
  totalInCents: number | null;
}

async function readSums(
  database: Queryable,
  { organizationId }: Context,
): Promise<Record<AccountSectionName, SectionSum>> {
  const { rows } = await database.query<{
    section: AccountSectionName;
    count: number;
    totalInCents: number | null;
  }>({
    name: "read_account_sums",
    text: `
      select section, count(*)::int as count,
          case when count(*) = count(balance_in_cents) then sum(balance_in_cents)::bigint end as "totalInCents"
        from (${SECTIONED}) sectioned where section is not null group by section`,
    values: [organizationId],
  });
  const sumOf = (name: AccountSectionName): SectionSum => {
    const found = rows.find(({ section }) => section === name);
    return found ? { count: found.count, totalInCents: found.totalInCents } : { count: 0, totalInCents: 0 };
  };
  return {
    income: sumOf("income"),
    pods: sumOf("pods"),
    outside: sumOf("outside"),
    owed: sumOf("owed"),
    closed: sumOf("closed"),
  };
}

/** What waiting proposals would move out of each account, by account ID. */
function waitingOut(waiting: readonly WaitingSubject[]) {
  const out = new Map<string, { count: number; amountInCents: number }>();
  for (const { moves } of waiting) {
    for (const accountId of new Set(moves.map((move) => move.sourceAccountId))) {
      const taken = moves.filter((move) => move.sourceAccountId === accountId);
      const before = out.get(accountId) ?? { count: 0, amountInCents: 0 };
      out.set(accountId, {
        count: before.count + 1,
        amountInCents: taken.reduce((sum, move) => sum + move.amountInCents, before.amountInCents),
      });
    }
  }
  return out;
}

function toManaged(row: Row, waiting: { count: number; amountInCents: number } | null) {
  return {
    id: row.id,
    /** Null without a page. */
    href: accountHref(row.id),
    name: row.name,
    description: row.description,
    institutionName: row.institutionName,
    /** Last four digits. */
    numberEnding: row.accountNumberLast4,
    balanceInCents: row.ledgerBalanceInCents ?? 0,
    /** The minimum that the owner wants to keep in it; null without a floor. */
    floorInCents: row.floorInCents,
    /** Savings target, pods only. */
    goalInCents: row.savingsTargetInCents,
    /** Proposals that would take money out of it. */
    waitingOut: waiting,
  };
}

/** An account whose money Sluice holds. */
export type ManagedAccountView = ReturnType<typeof toManaged>;

/** A disconnected outside account is omitted: its money is at its own bank. */
function toClosed(row: Row) {
  if (row.deletedAt === null || row.ledgerBalanceInCents === null) return [];
  return [
    {
      id: row.id,
      href: accountHref(row.id),
      name: row.name,
      /** Not zero if the bank booked something after closing. */
      balanceInCents: row.ledgerBalanceInCents,
      closedAt: row.deletedAt.toISOString(),
    },
  ];
}

/** A pod or an income source that was closed. */
export type ClosedAccountView = ReturnType<typeof toClosed>[number];

function toOutside(row: Row) {
  return {
    id: row.id,
    href: accountHref(row.id),
    name: row.name,
    institutionName: row.institutionName,
    numberEnding: row.accountNumberLast4,
    /** Null: unknown. Never shown as zero. */
    balanceInCents: row.balanceInCents,
    balanceAt: row.refreshedAt?.toISOString() ?? null,
    /** The page of its connection; null without one. */
    connectionHref: row.connectionId === null ? null : connectionHref(row.connectionId),
  };
}

/** An account seen through a bank connection: its balance is the provider's, and has an age. */
export type OutsideAccountView = ReturnType<typeof toOutside>;

function toOwed(row: Row) {
  return {
    ...toOutside(row),
    paidFromName: row.paidFromName,
    statementInCents: row.lastStatementBalanceInCents,
    minimumInCents: row.nextPaymentMinimumInCents,
    /** `YYYY-MM-DD` */
    dueOn: row.nextPaymentDueDate,
  };
}

/** A debt. */
export type OwedAccountView = ReturnType<typeof toOwed>;
