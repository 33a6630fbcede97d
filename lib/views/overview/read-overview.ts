import type { AccountType, ExternalAccountType } from "@/lib/contract/account";
import type { RequesterView } from "@/lib/contract/approvals/approval";
import { accountHref, MAP_DAYS, type MapDays } from "@/lib/contract/hrefs";
import { countWaiting, proposalHref } from "@/lib/core/approvals/read-waiting";
import { readReviewState } from "@/lib/core/fraud-monitoring/read-process";
import type { Context } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { REQUESTER_KIND, REQUESTER_NAME, SUBJECT_JOINS } from "@/lib/core/shared/subject-columns";
import { readNewsLateSince } from "@/lib/core/transfers/bank-news";
import type { Queryable } from "@/lib/db/transaction";
import type { BalancePoint } from "@/lib/views/accounts/read-balance-history";
import { listWaitingSubjects, type WaitingSubject } from "@/lib/views/approvals/list-waiting-subjects";
import { listWaitingMandates } from "@/lib/views/mandates/list-waiting-mandates";
import { buildMoneyMap } from "@/lib/views/overview/build-money-map";
import { listNextRules } from "@/lib/views/overview/list-next-rules";
import { listRecentMovements } from "@/lib/views/overview/list-recent-movements";
import { type FlowsRead, readFlows } from "@/lib/views/overview/read-flows";
import { listWaitingChanges } from "@/lib/views/policies/read-asked-change";
import type { TimedReading } from "@/lib/views/reading";
import { listWaitingVersions } from "@/lib/views/rules/waiting-versions";

/** Closed accounts count: the map includes accounts closed during its month. */
const MAXIMUM_ACCOUNTS = 1_000;
/** Proposals and rules shown; the rest are behind links. */
const WAITING_SHOWN = 3;

interface AccountRow {
  id: string;
  name: string;
  type: AccountType;
  externalAccountType: ExternalAccountType | null;
  deletedAt: Date | null;
  balanceInCents: number | null;
  refreshedAt: Date | null;
}

/**
 * What a member sees first: balances, waiting proposals, how money flowed through the accounts, and what comes next.
 * For any member. It reads balances, daily sums (`daily_flows`), and the ends of lists, never all transfers.
 * @param days the range of the money map
 */
export async function readOverview({ services, context, time }: TimedReading, days: MapDays) {
  const { pool } = services;
  const [
    read,
    accounts,
    subjects,
    waitingCount,
    proposed,
    mandates,
    changes,
    review,
    rules,
    movements,
    newsLateSince,
  ] = await Promise.all([
    readFlows(pool, context, days),
    readAccounts(pool, context.organizationId),
    listWaitingSubjects(pool, context),
    countWaiting(pool, context.organizationId, context.now),
    listWaitingVersions(pool, context.organizationId, WAITING_SHOWN),
    listWaitingMandates(pool, context, WAITING_SHOWN),
    listWaitingChanges(pool, context, WAITING_SHOWN),
    readReviewState(pool, context),
    listNextRules(pool, context, time.timeZone),
    listRecentMovements(pool, context),
    readNewsLateSince(pool, context.organizationId, context.now),
  ]);
  const map = buildMoneyMap(
    {
      clearingLedgerId: read.clearingLedgerId,
      flows: read.flows,
      border: read.border,
      waitingMoves: subjects.flatMap((subject) => subject.moves),
      accounts: new Map(accounts.map(({ id, name, type }) => [id, { name, isManaged: isManaged(type) }])),
    },
    days,
  );
  return {
    total: {
      ...toTotal(read, accounts, context.now),
      /** As on the accounts page. */
      bankNewsLateSince: newsLateSince?.toISOString() ?? null,
    },
    map: { ...map, hrefs: { [MAP_DAYS[0]]: "/", [MAP_DAYS[1]]: `/?days=${MAP_DAYS[1]}` } },
    /** The soonest to expire. */
    waiting: await toWaiting(pool, context, subjects.slice(0, WAITING_SHOWN)),
    waitingCount,
    /** What waits for an activation. */
    proposedRules: { listed: proposed.waiting, count: proposed.waitingCount },
    /** What waits for signatures. */
    mandates,
    /** What would let more through, and waits for signatures too. */
    changes,
    /** The yearly review of fraud monitoring. */
    isReviewDue: review.kind === "DUE" && mayDecide(context.actor),
    rules,
    movements,
    viewer: { canDecide: mayDecide(context.actor), canSign: context.actor.role === "OWNER" },
    time,
  };
}

/** Money in Sluice's own books, and money it only knows of. */
export type TotalView = OverviewView["total"];

/** Everything that the overview shows. */
export type OverviewView = Awaited<ReturnType<typeof readOverview>>;

const isManaged = (type: AccountType) => type !== "EXTERNAL_ACCOUNT";

async function readAccounts(database: Queryable, organizationId: string): Promise<AccountRow[]> {
  const { rows } = await database.query<AccountRow>({
    name: "read_overview_accounts",
    text: `
      select a.id, a.name, a.type, a.external_account_type as "externalAccountType", a.deleted_at as "deletedAt",
          p.balance_in_cents as "balanceInCents", p.refreshed_at as "refreshedAt"
        from accounts a
        left join provider_balances p on p.organization_id = a.organization_id and p.account_id = a.id
       where a.organization_id = $1 and not a.is_payee
       order by a.deleted_at is not null, a.id
       limit ${MAXIMUM_ACCOUNTS}`,
    values: [organizationId],
  });
  return rows;
}

function toTotal(read: FlowsRead, accounts: readonly AccountRow[], now: Date) {
  const external = accounts.filter(({ deletedAt, type }) => deletedAt === null && !isManaged(type));
  return {
    ...read.inSluice,
    ...buildTotalHistory(read, now),
    outside: external.filter((account) => account.externalAccountType !== "LIABILITY").map(toOutside),
    owed: external.filter((account) => account.externalAccountType === "LIABILITY").map(toOutside),
  };
}

function toOutside({ id, name, balanceInCents, refreshedAt }: AccountRow) {
  return {
    id,
    href: accountHref(id),
    name,
    /** Null: unknown, which is never taken for zero. */
    balanceInCents: balanceInCents,
    /** When its bank reported it. */
    balanceAt: refreshedAt?.toISOString() ?? null,
  };
}

/** An account that is not in Sluice's books: an investment or deposit elsewhere, or a debt. */
export type OutsideBalanceView = ReturnType<typeof toOutside>;

interface RequesterRow {
  id: string;
  requesterKind: RequesterView["kind"];
  requesterName: string;
}

async function toWaiting(
  database: Queryable,
  context: Pick<Context, "organizationId">,
  subjects: readonly WaitingSubject[],
) {
  if (subjects.length === 0) return [];
  const { rows } = await database.query<RequesterRow>({
    name: "read_waiting_requesters",
    text: `
      select p.id, ${REQUESTER_KIND} as "requesterKind", coalesce(${REQUESTER_NAME}, '') as "requesterName"
        from proposals p ${SUBJECT_JOINS}
       where p.organization_id = $1 and p.id = any ($2)`,
    values: [context.organizationId, subjects.map(({ id }) => id)],
  });
  const requesters = new Map(rows.map((row) => [row.id, row]));
  return subjects.map(({ id, view, expiresAt }) => ({
    id,
    href: proposalHref(id),
    subject: view,
    requesterKind: requesters.get(id)?.requesterKind ?? "API_KEY",
    requesterName: requesters.get(id)?.requesterName ?? "",
    expiresAt: expiresAt.toISOString(),
  }));
}

export type WaitingView = Awaited<ReturnType<typeof toWaiting>>[number];

/** The total over the chart's days, computed backward from the current one and the daily border crossings. Pure. */
function buildTotalHistory(
  {
    inSluice: { totalInCents },
    historyFrom,
    changes,
  }: Pick<FlowsRead, "inSluice" | "historyFrom" | "changes">,
  now: Date,
) {
  const changeInCents = changes.reduce((sum, { netInCents }) => sum + netInCents, 0);
  let balanceInCents = totalInCents - changeInCents;
  const points: BalancePoint[] = [{ at: historyFrom.toISOString(), balanceInCents }];
  for (const { endsAt, netInCents } of changes) {
    balanceInCents += netInCents;
    // The last moment of the day, so that its label is that day's; today has not ended.
    const at = Math.min(endsAt.getTime() - 1, now.getTime());
    points.push({ at: new Date(at).toISOString(), balanceInCents });
  }
  points.push({ at: now.toISOString(), balanceInCents: totalInCents });
  return {
    /** The total over the last days, in steps of a day; the last point is now. */
    points,
    changeInCents,
  };
}
