import type { Labels } from "@/lib/contract/input/labels";
import type { LookAlike } from "@/lib/contract/input/look-alike";
import type { AccountFacts } from "@/lib/contract/rules/facts";
import type { TransferDirection, TransferStatus } from "@/lib/contract/transfer";
import { type DocumentFacts, documentsOf } from "@/lib/core/approvals/documents/document-facts";
import {
  LATELY_MS,
  type LookedThrough,
  ONE_ORGANIZATION,
  similarTransfers,
} from "@/lib/core/approvals/similar-transfers";
import { countPayments } from "@/lib/core/rules/read-rule-facts";
import { groupStatements } from "@/lib/core/shared/group-statements";
import { decidedLookAlikes, type NameRow, namesWith } from "@/lib/core/shared/look-alikes";
import type { Queryable } from "@/lib/db/transaction";

/** One account of a proposal, with its balance when read. */
export interface PartyFacts extends AccountFacts {
  id: string;
}

/** What is read of a proposed transfer as it is shown. */
interface TransferFacts {
  direction: TransferDirection;
  amountInCents: number;
  description: string | null;
  updatedAt: Date;
  completedAt: Date | null;
  expectedCompletionDate: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  isCancellable: boolean;
  /** When it will be sent to the bank; null once it was. */
  leavesAt: Date | null;
  /** It was sent to the bank, which has not answered yet. */
  isUnanswered: boolean;
  cancelledByName: string | null;
  /** The program that requested it canceled it. */
  isWithdrawn: boolean;
  /** The transfer that moves it back: waiting, on its way or settled. */
  reversalId: string | null;
  /** The latest other transfer with its external id; null: none, or it has no id. */
  sameExternalId: string | null;
  /** In the order in which they were added. */
  documents: DocumentFacts[];
}

/** What a proposed transfer's checks and digest depend on. */
export interface TransferSubject extends TransferFacts {
  kind: "TRANSFER";
  source: PartyFacts;
  destination: PartyFacts;
  /** Completed live transfers from the same source to the same destination. */
  route: {
    count: number;
    /** There are more than were counted. */
    isMore: boolean;
    firstAt: Date | null;
    lastAt: Date | null;
    /** Eight of ten amounts lie between low and high. */
    lowInCents: number | null;
    medianInCents: number | null;
    highInCents: number | null;
  };
  /** Others in the last 24 hours on this route, or of this amount from its source or to its destination. */
  similarLately: { count: number; sameAmountCount: number; closest: SimilarTransfer | null };
  /** The settled transfer that it moves back; null for any other. */
  reverses: { id: string; settledAt: Date } | null;
  lookAlikes: LookAlike[];
  /** The id and data that its program gave it. */
  labels: Labels;
}

/** A transfer that may duplicate another one. */
export interface SimilarTransfer {
  id: string;
  status: TransferStatus;
  amountInCents: number;
  sourceName: string;
  destinationName: string;
  /** When it was requested. */
  createdAt: Date;
}

/** The usual amounts of a route are computed from at most this many transfers. */
const ROUTE_SAMPLE = 500;

/**
 * The parameters of `TRANSFER_SUBJECT` after organization and proposal.
 * @param now business time
 * @param lowerTo cents that a member considers to approve instead; null: the transfer's own amount
 */
export const subjectSince = (now: Date, lowerTo: number | null) => [
  new Date(now.getTime() - LATELY_MS),
  ROUTE_SAMPLE,
  lowerTo,
];

/** @param row of `TRANSFER_SUBJECT` */
export async function completeTransferSubject(
  database: Queryable,
  organizationId: string,
  row: TransferSubjectRow,
): Promise<TransferSubject> {
  const { sourceAccountId: sourceId, destinationAccountId: destinationId } = row;
  const accounts = await countPayments(database, organizationId, row.accounts);
  const party = (id: string): PartyFacts => {
    const facts = accounts[id];
    if (!facts) throw new Error(`A proposed transfer has no account ${id}`);
    return { id, ...facts };
  };
  return {
    ...toSubject(row, party(sourceId), party(destinationId)),
    lookAlikes: decidedLookAlikes(row.names),
  };
}

/** A transfer before it is written. */
export interface DraftedTransfer extends Partial<Labels> {
  direction: TransferDirection;
  amountInCents: number;
  description: string | null;
  sourceAccountId: string;
  destinationAccountId: string;
}

/**
 * The subject of a transfer that does not exist yet, so that its checks and digest are the same. Null: one of the accounts
 * belongs to another organization.
 */
export async function readDraftSubject(
  database: Queryable,
  organizationId: string,
  draft: DraftedTransfer,
  now: Date,
  documents: DocumentFacts[] = [],
): Promise<TransferSubject | null> {
  const { rows } = await database.query<DraftRow>({
    ...READ_DRAFTS,
    values: [JSON.stringify([toAsked(organizationId, draft, now)])],
  });
  const [row] = rows;
  if (!row) throw new Error("A draft has no history");
  return completeDraft(database, organizationId, draft, now, row, documents);
}

/** As `readDraftSubject`, in a round trip shared with concurrent ones, which begins after all of them have asked. */
export async function readSharedDraftSubject(
  pool: Queryable,
  organizationId: string,
  draft: DraftedTransfer,
  now: Date,
): Promise<TransferSubject | null> {
  const row = await readWithOthers(pool, toAsked(organizationId, draft, now));
  return completeDraft(pool, organizationId, draft, now, row, []);
}

function toAsked(organizationId: string, draft: DraftedTransfer, now: Date): AskedDraft {
  const { sourceAccountId, destinationAccountId, amountInCents } = draft;
  return {
    organizationId,
    sourceAccountId,
    destinationAccountId,
    amountInCents,
    externalId: draft.externalId ?? null,
    since: new Date(now.getTime() - LATELY_MS),
  };
}

async function completeDraft(
  database: Queryable,
  organizationId: string,
  draft: DraftedTransfer,
  now: Date,
  row: DraftRow,
  documents: DocumentFacts[],
): Promise<TransferSubject | null> {
  const { sourceAccountId, destinationAccountId } = draft;
  const accounts = await countPayments(database, organizationId, row.accounts ?? {});
  const source = accounts[sourceAccountId];
  const destination = accounts[destinationAccountId];
  if (!source || !destination) return null;
  return {
    kind: "TRANSFER",
    direction: draft.direction,
    amountInCents: draft.amountInCents,
    description: draft.description,
    updatedAt: now,
    completedAt: null,
    expectedCompletionDate: null,
    errorCode: null,
    errorMessage: null,
    isCancellable: false,
    leavesAt: null,
    isUnanswered: false,
    cancelledByName: null,
    isWithdrawn: false,
    source: { id: sourceAccountId, ...source },
    destination: { id: destinationAccountId, ...destination },
    reverses: null,
    reversalId: null,
    labels: { externalId: draft.externalId ?? null, metadata: draft.metadata ?? [] },
    sameExternalId: row.sameExternalId,
    documents,
    lookAlikes: decidedLookAlikes(row.names ?? []),
    ...toHistory(row),
  };
}

/** The history before a transfer `t` on its route and in the last day. */
const HISTORY_COLUMNS = `
  route.count as "routeCount", route.first_at as "firstAt", route.last_at as "lastAt", route.low, route.median,
  route.high,
  coalesce(closest.alike_count, 0) as "alikeCount", coalesce(closest.same_amount_count, 0) as "sameAmountCount",
  closest.id as "closestId", closest.status as "closestStatus", closest.amount_in_cents as "closestAmountInCents",
  closest.created_at as "closestCreatedAt", coalesce(closest_source.name, '') as "closestSourceName",
  coalesce(closest_destination.name, '') as "closestDestinationName"`;

interface HistoryOf extends LookedThrough {
  /** SQL: at most so many of the route's transfers are looked at. */
  sample: string;
}

/** Each is looked up for each transfer, whatever the planner believes of the tables: in a group, a join could read all. */
const historyJoins = (among: string, where: HistoryOf) => `
    cross join lateral (
      select count(*)::int as count, min(sample.created_at) as first_at, max(sample.created_at) as last_at,
          percentile_disc(0.1) within group (order by sample.amount_in_cents) as low,
          percentile_disc(0.5) within group (order by sample.amount_in_cents) as median,
          percentile_disc(0.9) within group (order by sample.amount_in_cents) as high
        from (
          select before.amount_in_cents, before.created_at from transfers before
           where before.organization_id = ${where.organizationId} and before.source_account_id = t.source_account_id
             and before.destination_account_id = t.destination_account_id and before.execution_mode = 'LIVE'
             and before.status = 'COMPLETE' and before.id < t.id
           order by before.id desc limit ${where.sample}) sample) route
    left join lateral (
      select alike.*, (count(*) over ())::int as alike_count,
          (count(*) filter (where alike.is_same_amount) over ())::int as same_amount_count
        from (${similarTransfers(among, where)}) alike limit 1) closest on true
    left join lateral (
      select a.name from accounts a where a.organization_id = ${where.organizationId}
          and a.id = closest.source_account_id limit 1) closest_source on true
    left join lateral (
      select a.name from accounts a where a.organization_id = ${where.organizationId}
          and a.id = closest.destination_account_id limit 1) closest_destination on true`;

/**
 * A proposed transfer, its history, and the names that could be mistaken; for `$1` and, as `$3` to `$5`,
 * `subjectSince`. Its amount is `$5` where a member considers to approve less.
 * @param id its id, in SQL
 * @param among a condition on each `other` transfer that may be like it
 */
export const transferSubject = (id: string, among: string) => `
  select whole.direction, t.amount_in_cents as "amountInCents",
      whole.amount_in_cents as "wholeAmountInCents", whole.description, whole.updated_at as "updatedAt",
      whole.completed_at as "completedAt", whole.error_code as "errorCode", whole.error_message as "errorMessage",
      whole.expected_completion_date::text as "expectedCompletionDate",
      coalesce(whole.next_step in ('BOOK', 'SUBMIT'), false) as "isCancellable",
      case when whole.next_step = 'SUBMIT' then whole.due_at end as "leavesAt",
      coalesce(whole.next_step = 'ASK', false) as "isUnanswered",
      (select name from users where id = whole.cancelled_by) as "cancelledByName", whole.withdrawn_at is not null as "isWithdrawn",
      whole.source_account_id as "sourceAccountId", whole.destination_account_id as "destinationAccountId",
      reversed.id as "reversedId", reversed.settled_at as "reversedSettledAt",
      reversal.id as "reversalId", label.external_id as "externalId", label.metadata,
      (select l.transfer_id from transfer_labels l
         join transfers other on other.organization_id = $1 and other.id = l.transfer_id and other.execution_mode = 'LIVE'
        where l.organization_id = $1 and l.external_id = label.external_id and l.transfer_id <> whole.id
        order by l.transfer_id desc limit 1) as "sameExternalId",
      ${documentsOf("t.id")} as documents,
      ${HISTORY_COLUMNS},
      (select jsonb_agg(named) from (${namesWith("array[whole.source_account_id, whole.destination_account_id]")}) named) as names,
      (select jsonb_object_agg(fact.id, to_jsonb(fact) - 'id')
         from read_account_facts($1, array[whole.source_account_id, whole.destination_account_id]) fact) as accounts
    from transfers whole
    cross join lateral (
      select whole.id, whole.source_account_id, whole.destination_account_id,
          case when whole.status = 'APPROVAL_PENDING' and $5::bigint between 1 and whole.amount_in_cents - 1
            then $5::bigint else whole.amount_in_cents end as amount_in_cents) t
    left join transfer_labels label on label.organization_id = $1 and label.transfer_id = whole.id
    left join lateral (
      select r.id, coalesce(r.completed_at, r.created_at) as settled_at
        from transfer_reversals v join transfers r on r.organization_id = $1 and r.id = v.transfer_id
       where v.organization_id = $1 and v.reversal_id = whole.id limit 1) reversed on true
    left join lateral (
      select back.id from transfer_reversals v join transfers back on back.organization_id = $1 and back.id = v.reversal_id
       where v.organization_id = $1 and v.transfer_id = whole.id
         and back.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE') limit 1) reversal on true
    ${historyJoins(among, { ...ONE_ORGANIZATION, sample: "$4" })}
   where whole.organization_id = $1 and whole.id = ${id}`;

/** As `transferSubject`, of the one with the id `$2`. */
export const TRANSFER_SUBJECT = transferSubject("$2", "true");

/** One drafted transfer. */
interface AskedDraft {
  organizationId: string;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  externalId: string | null;
  since: Date;
}

interface DraftRow extends HistoryRow {
  /** Null: neither account is the organization's. */
  accounts: Record<string, AccountFacts> | null;
  names: NameRow[] | null;
  sameExternalId: string | null;
}

/**
 * Of transfers that do not exist yet, what their checks depend on, one row for each: the highest possible id makes all
 * others earlier. Balances are read once for all of them.
 */
const READ_DRAFTS = {
  name: "read_drafts",
  text: `
  with asked as materialized (
    select i.*, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid as id
      from rows from (jsonb_to_recordset($1::jsonb)
             as ("organizationId" uuid, "sourceAccountId" uuid, "destinationAccountId" uuid, "amountInCents" bigint,
               "externalId" text, since timestamptz))
           with ordinality as i (organization_id, source_account_id, destination_account_id, amount_in_cents,
             external_id, since, place)),
  parties as (
    select array_agg(organization_id) as organization_ids, array_agg(account_id) as account_ids from (
      select organization_id, source_account_id as account_id from asked
      union all
      select organization_id, destination_account_id from asked) each),
  facts as materialized (
    select fact.organization_id, fact.id, to_jsonb(fact) - array['organization_id', 'id'] as own
      from parties cross join lateral read_facts_of_accounts(organization_ids, account_ids) fact)
  select ${HISTORY_COLUMNS},
      (select json_object_agg(fact.id, fact.own) from facts fact
        where fact.organization_id = t.organization_id
          and fact.id in (t.source_account_id, t.destination_account_id)) as accounts,
      (select json_agg(named) from (
        ${namesWith("array[t.source_account_id, t.destination_account_id]", "t.organization_id")}) named) as names,
      case when t.external_id is not null then (
        select l.transfer_id from transfer_labels l
          where l.organization_id = t.organization_id and l.external_id = t.external_id
            -- A subquery, not a join: that might read all transfers.
            and (select other.execution_mode from transfers other
              where other.organization_id = t.organization_id and other.id = l.transfer_id) = 'LIVE'
          order by l.transfer_id desc limit 1) end as "sameExternalId"
    from asked t ${historyJoins("true", { organizationId: "t.organization_id", since: "t.since", sample: `${ROUTE_SAMPLE}` })}
   order by t.place`,
};

const readWithOthers = groupStatements<AskedDraft, DraftRow>({
  ...READ_DRAFTS,
  // It locks nothing.
  compare: () => 0,
});

interface HistoryRow {
  routeCount: number;
  firstAt: Date | null;
  lastAt: Date | null;
  low: number | null;
  median: number | null;
  high: number | null;
  alikeCount: number;
  sameAmountCount: number;
  closestId: string | null;
  closestStatus: TransferStatus | null;
  closestAmountInCents: number | null;
  closestCreatedAt: Date | null;
  closestSourceName: string;
  closestDestinationName: string;
}

export interface TransferSubjectRow extends TransferFacts, HistoryRow {
  names: NameRow[];
  /** By id. Without what was paid of debts. */
  accounts: Record<string, AccountFacts>;
  /** More than `amountInCents` where a member considers to approve less. */
  wholeAmountInCents: number;
  sourceAccountId: string;
  destinationAccountId: string;
  reversedId: string | null;
  reversedSettledAt: Date | null;
  externalId: string | null;
  /** Null: its program gave it neither id nor data. */
  metadata: Labels["metadata"] | null;
}

function toSubject(
  row: TransferSubjectRow,
  source: PartyFacts,
  destination: PartyFacts,
): Omit<TransferSubject, "lookAlikes"> {
  return {
    kind: "TRANSFER",
    direction: row.direction,
    amountInCents: row.amountInCents,
    description: row.description,
    updatedAt: row.updatedAt,
    completedAt: row.completedAt,
    expectedCompletionDate: row.expectedCompletionDate,
    errorCode: row.errorCode,
    errorMessage: row.errorMessage,
    isCancellable: row.isCancellable,
    leavesAt: row.leavesAt,
    isUnanswered: row.isUnanswered,
    cancelledByName: row.cancelledByName,
    isWithdrawn: row.isWithdrawn,
    source,
    destination,
    reverses:
      row.reversedId !== null && row.reversedSettledAt !== null
        ? { id: row.reversedId, settledAt: row.reversedSettledAt }
        : null,
    reversalId: row.reversalId,
    labels: { externalId: row.externalId, metadata: row.metadata ?? [] },
    sameExternalId: row.sameExternalId,
    documents: row.documents,
    ...toHistory(row),
  };
}

function toHistory(row: HistoryRow): Pick<TransferSubject, "route" | "similarLately"> {
  return {
    route: {
      count: row.routeCount,
      isMore: row.routeCount === ROUTE_SAMPLE,
      firstAt: row.firstAt,
      lastAt: row.lastAt,
      lowInCents: row.low,
      medianInCents: row.median,
      highInCents: row.high,
    },
    similarLately: {
      count: row.alikeCount,
      sameAmountCount: row.sameAmountCount,
      closest: toClosest(row),
    },
  };
}

function toClosest(row: HistoryRow): SimilarTransfer | null {
  const { closestId: id, closestStatus: status, closestCreatedAt: createdAt } = row;
  const amountInCents = row.closestAmountInCents;
  if (id === null || status === null || createdAt === null || amountInCents === null) return null;
  return {
    id,
    status,
    amountInCents,
    sourceName: row.closestSourceName,
    destinationName: row.closestDestinationName,
    createdAt,
  };
}
