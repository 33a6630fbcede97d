import type { ProposalSubjectView, RequesterView } from "@/lib/contract/approvals/approval";
import type { Labels } from "@/lib/contract/input/labels";
import {
  type ApprovalPlace,
  type ApprovalSearch,
  approvalPairs,
  approvalsExportHref,
  approvalsHref,
} from "@/lib/contract/search/list-search";
import { EVERY_WAITING, type QueueSearch } from "@/lib/contract/search/queue-search";
import { downloadHref } from "@/lib/contract/shown";
import { approvalStatus } from "@/lib/core/approvals/approval-facts";
import type { ProposalState, SubjectStatus } from "@/lib/core/approvals/proposal-facts";
import { type ProposalSubject, readProposalSubjects } from "@/lib/core/approvals/proposal-subjects";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { readClosedGates } from "@/lib/core/keys/gates";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide, mayExport } from "@/lib/core/shared/permits";
import { DECIDER_ID, deciderName } from "@/lib/core/shared/proposal-decision";
import {
  REQUESTER_KIND,
  REQUESTER_NAME,
  SUBJECT_JOINS,
  SUBJECT_STATUS,
} from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { decidedScan } from "@/lib/views/approvals/decided-scan";
import { readProposalDays } from "@/lib/views/approvals/read-proposal-days";
import { readQueue } from "@/lib/views/approvals/read-queue";
import { listWaitingMandates } from "@/lib/views/mandates/list-waiting-mandates";
import {
  type MovementOption,
  type MovementScan,
  readMovementOptions,
} from "@/lib/views/movements/movement-query";
import {
  countScan,
  listedSum,
  type MovementIds,
  type PageBeginning,
  readKeysetPage,
} from "@/lib/views/movements/read-movement-page";
import { listWaitingChanges } from "@/lib/views/policies/read-asked-change";
import type { TimedReading } from "@/lib/views/reading";
import { listWaitingStops } from "@/lib/views/rules/list-proposed-stops";
import { listWaitingVersions } from "@/lib/views/rules/waiting-versions";
import { FORMER_MEMBER } from "@/lib/words/names";

const DECIDED_PAGE_SIZE = 20;
/** Rules that wait for an activation, or that a program proposes to stop; the rest are on the page of rules. */
const SHOWN_RULES = 5;
/** No other page lists those that wait. */
const SHOWN_MANDATES = 50;
const SHOWN_CHANGES = 50;
/** Decided proposals that are counted; people narrow the list rather than page further. */
const COUNTED_DECIDED = 1_000;

/** The inbox: waiting proposals, soonest to expire first, and one page of decided ones, newest first. */
export async function listProposals(
  reading: TimedReading,
  search: ApprovalSearch,
  place: ApprovalPlace,
  queue: QueueSearch = EVERY_WAITING,
) {
  const { services, context, time } = reading;
  const { pool } = services;
  const scanOf = () => decidedScan(context.organizationId, search, time.timeZone);
  const isNarrowed = approvalPairs(search).length > 0;
  const [waiting, page, count, options, deciders, rules, stops, mandates, changes, days, closedGates] =
    await Promise.all([
      readQueue(reading, queue),
      readKeysetPage(pool, scanOf, beginningOf(place), DECIDED_PAGE_SIZE),
      countScan(pool, isNarrowed ? scanOf() : countedOnly(scanOf()), null, COUNTED_DECIDED),
      readMovementOptions(pool, context.organizationId),
      readDeciders(pool, context.organizationId),
      listWaitingVersions(pool, context.organizationId, SHOWN_RULES),
      listWaitingStops(pool, context, SHOWN_RULES),
      listWaitingMandates(pool, context, SHOWN_MANDATES),
      listWaitingChanges(pool, context, SHOWN_CHANGES),
      readProposalDays(pool, context, time.timeZone),
      readClosedGates(pool, context.organizationId),
    ]);
  const [decided, firstPosition] = await Promise.all([
    readDecided(pool, context, page.ids),
    readPosition(pool, scanOf, page),
  ]);
  return {
    ...waiting,
    /** Approving waits until they open; denying does not. */
    areGatesClosed: closedGates !== null,
    /** What waits for an activation instead of an approval. */
    rules: { listed: rules.waiting, count: rules.waitingCount },
    stops,
    /** What keys want to do by themselves. */
    mandates,
    /** What would let more through. */
    changes,
    /** The last 30 days, including days without any, oldest first; the last one is today. */
    days,
    decided: {
      search,
      rows: decided,
      /** For the current filters. */
      count: { count: count.count, isMore: count.isMore },
      /** Null: not narrowed, or too many to sum up. */
      sum: isNarrowed ? listedSum(count) : null,
      /** 1-based position of the first row; null: beyond the counted range. */
      firstPosition,
      newerHref:
        page.newerThan && approvalsHref(search, page.ids.length > 0 ? { after: page.newerThan } : {}),
      olderHref: page.olderThan && approvalsHref(search, { before: page.olderThan }),
      /** For the filters. */
      deciders,
      requesters: options.requesters,
      exportHref: downloadHref(approvalsExportHref(search), context),
      mayExport: mayExport(context.actor),
    },
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

/** The inbox: waiting proposals, soonest to expire first, and decided ones, newest first. */
export type InboxView = Awaited<ReturnType<typeof listProposals>>;

/** For counts whose sum nobody sees. */
function countedOnly(scan: MovementScan): MovementScan {
  return { ...scan, money: null };
}

function beginningOf({ before, after }: ApprovalPlace): PageBeginning {
  if (after !== null) return { side: "NEWER", beyond: after };
  return before === null ? null : { side: "OLDER", beyond: before };
}

async function readPosition(
  database: Queryable,
  scanOf: () => MovementScan,
  { ids, newerThan }: MovementIds,
): Promise<number | null> {
  const first = ids[0];
  if (first === undefined || newerThan === null) return 1;
  const newer = await countScan(database, countedOnly(scanOf()), first, COUNTED_DECIDED);
  return newer.isMore ? null : newer.count + 1;
}

/** Everyone who decided or may decide, including former members. */
async function readDeciders(database: Queryable, organizationId: string) {
  const { rows } = await database.query<MovementOption>({
    name: "proposal_decider_options",
    text: `
      select u.id, u.name from users u
       where u.id in (
         select user_id from memberships where organization_id = $1 and role in ('OWNER', 'CO_OWNER')
         union
         select decided_by from (
           select decided_by from proposals
            where organization_id = $1 and state <> 'WAITING' order by decided_at desc limit 1000) lately)
       order by lower(u.name), u.id limit 200`,
    values: [organizationId],
  });
  return rows;
}

/** The decided proposals with these IDs, newest first. */
export async function readDecided(
  database: Queryable,
  context: Context<MemberActor>,
  ids: readonly string[],
) {
  const [{ rows }, subjects] = await Promise.all([
    database.query<ProposalRow>({
      name: "read_decided_proposals",
      text: `${SELECT_PROPOSALS}
        where p.organization_id = $1 and p.id = any ($2::uuid[]) and p.state <> 'WAITING'
        order by p.decided_at desc, p.id desc`,
      values: [context.organizationId, ids],
    }),
    readProposalSubjects(database, context, ids),
  ]);
  return rows.map((row) => toDecided(row, subjectOf(subjects, row.id), context));
}

function subjectOf(subjects: ReadonlyMap<string, ProposalSubject>, id: string): ProposalSubjectView {
  const subject = subjects.get(id);
  if (!subject) throw new Error(`Proposal ${id} has no subject`);
  return subject.view;
}

interface ProposalRow extends Labels {
  id: string;
  state: ProposalState;
  status: SubjectStatus;
  requesterKind: RequesterView["kind"];
  requesterName: string;
  reason: string | null;
  createdAt: Date;
  expiresAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
  decidedByName: string | null;
  decisionNote: string | null;
}

const SELECT_PROPOSALS = `
  select p.id, p.state, ${SUBJECT_STATUS} as status, ${REQUESTER_KIND} as "requesterKind",
      coalesce(${REQUESTER_NAME}, '') as "requesterName",
      coalesce(t.reason_for_approval, e.reason_for_approval) as reason, p.created_at as "createdAt",
      p.expires_at as "expiresAt", p.decided_at as "decidedAt",
      ${DECIDER_ID} as "decidedBy", ${deciderName("u")} as "decidedByName", p.decision_note as "decisionNote",
      label.external_id as "externalId", coalesce(label.metadata, '[]') as metadata
    from proposals p ${SUBJECT_JOINS}
    left join transfer_labels label on label.organization_id = p.organization_id and label.transfer_id = p.id
    left join users u on u.id = p.decided_by`;

function toDecided(row: ProposalRow, subject: ProposalSubjectView, context: Context) {
  const status = approvalStatus(
    { state: row.state, status: row.status, expiresAt: row.expiresAt },
    context.now,
  );
  if (status === "WAITING") throw new Error("A decided proposal still has the status WAITING");
  const isByHand = row.decidedBy !== null && (row.state === "APPROVED" || row.state === "DENIED");
  return {
    ...toCommon(row, subject),
    /** Of its program; a run has none. */
    labels: { externalId: row.externalId, metadata: row.metadata },
    /** When it was decided, or closed with no decision. */
    decidedAt: (row.decidedAt ?? row.expiresAt).toISOString(),
    status,
    /** Null if nobody decided. */
    decision: isByHand
      ? {
          kind: row.state === "APPROVED" ? ("APPROVED" as const) : ("DENIED" as const),
          byName: row.decidedByName ?? FORMER_MEMBER,
          byViewer: row.decidedBy === context.actor.id,
          note: row.decisionNote,
        }
      : null,
  };
}

/** One proposal that no longer waits. */
export type DecidedProposalView = ReturnType<typeof toDecided>;

function toCommon(row: ProposalRow, subject: ProposalSubjectView) {
  return {
    id: row.id,
    href: proposalHref(row.id),
    subject,
    requesterKind: row.requesterKind,
    requesterName: row.requesterName,
  };
}
