import type { ProposalSubjectView, RequesterView } from "@/lib/contract/approvals/approval";
import type { DocumentMediaType } from "@/lib/contract/input/document-types";
import { MAXIMUM_DECIDED_TOGETHER } from "@/lib/contract/limits";
import { type QueueSearch, queuePairs } from "@/lib/contract/search/queue-search";
import {
  readWaitingSubjects,
  type WaitingProposalSubject,
} from "@/lib/core/approvals/batches/waiting-subjects";
import { forecastTogether } from "@/lib/core/approvals/forecast-approval";
import type { ProposalSubject } from "@/lib/core/approvals/proposal-subjects";
import { countWaiting, proposalHref } from "@/lib/core/approvals/read-waiting";
import { readMarks } from "@/lib/core/approvals/review-marks";
import { readPossibleDuplicates } from "@/lib/core/approvals/similar-transfers";
import type { Context } from "@/lib/core/shared/context";
import {
  onePerBatch,
  REQUESTER_ID,
  REQUESTER_KIND,
  REQUESTER_NAME,
  SUBJECT_JOINS,
} from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { type Forecast, movesOf } from "@/lib/engine/forecast/forecast-arrivals";
import { type ForecastMove, isOutside } from "@/lib/engine/forecast/money-after";
import { type MovementOption, readAccountOptions } from "@/lib/views/movements/movement-query";
import type { TimedReading } from "@/lib/views/reading";

/** More than this at once is a runaway key; the page shows how many there are. */
const MAXIMUM_WAITING = 200;
/** From this many on, what waits is grouped; fewer are one list. */
const GROUPED_FROM = 4;
/** Of how many waiting proposals the requesters are listed, for the filter. */
const MAXIMUM_ASKED = 5_000;

/**
 * What waits, soonest to expire first, at most 200; from four on also by requester and route, with sums and with what
 * would follow if all of it were approved (docs/behavior/approvals.md). Any member may read it.
 */
export async function readQueue(
  { services: { pool }, context, time }: TimedReading<"pool">,
  search: QueueSearch,
) {
  const [rows, waitingCount, requesters, accounts, marks] = await Promise.all([
    readWaitingRows(pool, context, search.requester),
    countWaiting(pool, context.organizationId, context.now),
    readRequesters(pool, context),
    readAccountOptions(pool, context.organizationId),
    readMarks(pool, context),
  ]);
  const ids = rows.map(({ id }) => id);
  const [subjects, duplicates] = await Promise.all([
    readWaitingSubjects(pool, context, ids),
    readPossibleDuplicates(pool, context, ids),
  ]);
  const queued = rows.flatMap((row): Queued[] => {
    const subject = subjects.get(row.id);
    if (!subject) throw new Error(`Proposal ${row.id} has no subject`);
    const proposal = toWaiting(row, subject.view, duplicates.has(row.id) && subject.batchId === null);
    return isAmong(proposal, subject, search) ? [{ proposal, subject, requesterId: row.requesterId }] : [];
  });
  const named = new Set(rows.flatMap(({ id }) => subjects.get(id)?.accountIds ?? []));
  // A filter stays where it can be cleared, also once fewer wait.
  const isNarrowed = queuePairs(search).length > 0;
  const isGrouped = waitingCount >= GROUPED_FROM || isNarrowed;
  return {
    /** The soonest to expire. */
    waiting: queued.map(({ proposal }) => proposal),
    /** All that wait, shown or not. */
    waitingCount,
    /** Null: they are few, and one list. */
    groups: isGrouped
      ? {
          search,
          isNarrowed,
          /** Fewer than wait: the rest closes later. */
          isCut: rows.length === MAXIMUM_WAITING,
          requesterCount: requesters.length,
          requesters,
          accounts: accounts.filter(({ id }) => named.has(id)),
          sections: groupByRequester(queued, marks),
          review: reviewOf(queued, marks),
          sumInCents: sumOf(queued),
          ...describeForecast(
            queued,
            await forecastTogether(
              pool,
              context,
              queued.map(({ subject }) => subject),
              time.timeZone,
            ),
          ),
        }
      : null,
  };
}

/** What waits. */
export type QueueView = Awaited<ReturnType<typeof readQueue>>;
/** One proposal that waits. */
export type WaitingProposalView = QueueView["waiting"][number];
/** What waits, by requester and route. */
export type QueueGroups = NonNullable<QueueView["groups"]>;
export type QueueSection = QueueGroups["sections"][number];
export type QueueReview = QueueGroups["review"];
export type QueueRoute = QueueSection["routes"][number];
/** What an account would hold if all of it were approved. */
export type QueueOutlook = NonNullable<QueueGroups["outlook"]>;

interface Queued {
  proposal: ReturnType<typeof toWaiting>;
  subject: WaitingProposalSubject;
  requesterId: string | null;
}

/** Whether a filter leaves it. */
export function isAmong(
  { subject: { kind, amountInCents } }: { subject: ProposalSubjectView },
  { accountIds }: ProposalSubject,
  search: QueueSearch,
): boolean {
  if (search.kind !== null && (kind === "RULE_RUN") !== (search.kind === "run")) return false;
  if (search.account !== null && !accountIds.includes(search.account)) return false;
  if (search.least !== null && (amountInCents ?? 0) < search.least) return false;
  // What cannot run now has no amount, so it is not below any.
  return search.most === null || (amountInCents !== null && amountInCents <= search.most);
}

/** A section for each requester and in it a row for each route, in the order in which the first of each closes. */
function groupByRequester(queued: readonly Queued[], marks: ReadonlyMap<string, unknown>) {
  const sections = new Map<string, Queued[]>();
  for (const one of queued) {
    const { requesterKind, requesterName } = one.proposal;
    // Programs at a rule's own address have no ID; their name is the rule's.
    add(sections, `${requesterKind} ${one.requesterId ?? requesterName}`, one);
  }
  return [...sections].map(([key, ofRequester]) => {
    const routes = new Map<string, Queued[]>();
    for (const one of ofRequester) add(routes, one.subject.routeKey, one);
    const { proposal, requesterId } = firstOf(ofRequester);
    const { requesterKind, requesterName } = proposal;
    return {
      key,
      /** Null: programs at a rule's own address. */
      requesterId,
      review: reviewOf(ofRequester, marks),
      requesterKind,
      requesterName,
      count: ofRequester.length,
      sumInCents: sumOf(ofRequester),
      routes: [...routes].map(([routeKey, ofRoute]) => {
        const { subject, createdAt, expiresAt } = firstOf(ofRoute).proposal;
        return {
          key: `${key} ${routeKey}`,
          /** The first to close: its names and times head the route. */
          subject,
          createdAt,
          expiresAt,
          sumInCents: sumOf(ofRoute),
          proposals: ofRoute.map(({ proposal }) => proposal),
        };
      }),
    };
  });
}

/** What a review of these holds, and how many of them the viewer has marked. */
function reviewOf(queued: readonly Queued[], marks: ReadonlyMap<string, unknown>) {
  const held = queued.filter(({ subject }) => subject.batchId === null).slice(0, MAXIMUM_DECIDED_TOGETHER);
  return {
    count: held.length,
    markedCount: held.filter(({ proposal }) => marks.has(proposal.id)).length,
    /** Decided on pages of their own. */
    batchCount: queued.filter(({ subject }) => subject.batchId !== null).length,
  };
}

function add(groups: Map<string, Queued[]>, key: string, one: Queued): void {
  const known = groups.get(key);
  if (known) known.push(one);
  else groups.set(key, [one]);
}

function firstOf(group: readonly Queued[]): Queued {
  const [first] = group;
  if (!first) throw new Error("A group of proposals is empty");
  return first;
}

/** Those that cannot run now have no amount. */
function sumOf(queued: readonly Queued[]): number {
  return queued.reduce((sum, { proposal }) => sum + (proposal.subject.amountInCents ?? 0), 0);
}

function describeForecast(queued: readonly Queued[], forecast: Forecast) {
  const moves = queued.flatMap(({ subject }) => subject.moves);
  const leaving = moves.filter(({ destinationAccountId: to }) => isOutside(forecast.before, to));
  const followsInCents = forecast.runs.reduce(
    (sum, { outcome }) => sum + (outcome.kind === "RUNS" ? totalOf(movesOf(outcome.plan)) : 0),
    0,
  );
  return { leavesInCents: totalOf(leaving), followsInCents, outlook: outlookOf(moves, forecast) };
}

function totalOf(moves: readonly ForecastMove[]): number {
  return moves.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
}

/**
 * The account that they take from which would come closest to its floor, or furthest below it; without a floor, one that
 * would be short. Null: none of these.
 */
function outlookOf(moves: readonly ForecastMove[], { accounts }: Forecast) {
  const sources = new Set(moves.map(({ sourceAccountId }) => sourceAccountId));
  const outlooks = [...sources].flatMap((id) => {
    const account = accounts[id];
    if (!account || account.availableInCents === null) return [];
    const { name, availableInCents: holdsInCents, floorInCents } = account;
    if (floorInCents === null && holdsInCents >= 0) return [];
    return [
      { accountName: name, holdsInCents, floorInCents, marginInCents: holdsInCents - (floorInCents ?? 0) },
    ];
  });
  return outlooks.sort((a, b) => a.marginInCents - b.marginInCents)[0] ?? null;
}

export interface WaitingRow {
  id: string;
  requesterId: string | null;
  requesterKind: RequesterView["kind"];
  requesterName: string;
  reason: string | null;
  createdAt: Date;
  expiresAt: Date;
}

interface QueuedRow extends WaitingRow {
  /** Each document's type, in the order in which they were added. */
  documentTypes: DocumentMediaType[];
}

/** Those that close first. */
export async function readWaitingRows(
  database: Queryable,
  context: Context,
  requesterId: string | null,
): Promise<QueuedRow[]> {
  const { rows } = await database.query<QueuedRow>({
    name: "list_waiting_proposals",
    text: `
      with waiting as materialized (
        select id from proposals
         where organization_id = $1 and state = 'WAITING' and expires_at > $2 and ${onePerBatch("")}
         order by expires_at, id limit $3)
      select p.id, ${REQUESTER_ID} as "requesterId", ${REQUESTER_KIND} as "requesterKind",
          coalesce(${REQUESTER_NAME}, '') as "requesterName",
          coalesce(t.reason_for_approval, e.reason_for_approval) as reason, p.created_at as "createdAt",
          p.expires_at as "expiresAt",
          array(select d.media_type from transfer_documents d
            where d.organization_id = $1 and d.transfer_id = p.id order by d.id) as "documentTypes"
        from proposals p ${SUBJECT_JOINS}
       where p.organization_id = $1 and p.id = any (select id from waiting)
         and ($4::uuid is null or ${REQUESTER_ID} = $4)
       order by p.expires_at, p.id limit ${MAXIMUM_WAITING}`,
    // One requester's may lie behind those of a runaway key.
    values: [
      context.organizationId,
      context.now,
      requesterId === null ? MAXIMUM_WAITING : MAXIMUM_ASKED,
      requesterId,
    ],
  });
  return rows;
}

/** Who asked for what waits. */
async function readRequesters(database: Queryable, context: Context): Promise<MovementOption[]> {
  const { rows } = await database.query<MovementOption>({
    name: "list_waiting_requesters",
    text: `
      with waiting as materialized (
        select * from proposals
         where organization_id = $1 and state = 'WAITING' and expires_at > $2 and ${onePerBatch("")}
         order by expires_at, id limit ${MAXIMUM_ASKED})
      select asked.id, min(asked.name) as name from (
        select ${REQUESTER_ID} as id, coalesce(${REQUESTER_NAME}, '') as name
          from waiting p ${SUBJECT_JOINS}) asked
       where asked.id is not null
       group by asked.id order by lower(min(asked.name)), asked.id limit 100`,
    values: [context.organizationId, context.now],
  });
  return rows;
}

function toWaiting(row: QueuedRow, subject: ProposalSubjectView, isPossibleDuplicate: boolean) {
  return {
    id: row.id,
    href: proposalHref(row.id),
    subject,
    requesterKind: row.requesterKind,
    requesterName: row.requesterName,
    reason: row.reason,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    /** Another transfer of the amount shares an account, or the rule has another run, in the last 24 hours. */
    isPossibleDuplicate,
    documentTypes: row.documentTypes,
  };
}
