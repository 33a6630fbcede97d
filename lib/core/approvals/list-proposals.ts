import type { AskerView } from "@/lib/contract/views/approval-view";
import type {
  DecidedFilter,
  DecidedProposalView,
  InboxView,
  WaitingProposalView,
} from "@/lib/contract/views/inbox-view";
import type { ProposalSubjectView } from "@/lib/contract/views/proposal-subject-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { approvalStatus } from "@/lib/core/approvals/approval-status";
import type { ProposalState, SubjectStatus } from "@/lib/core/approvals/proposal-facts";
import { readProposalSubjects } from "@/lib/core/approvals/proposal-subjects";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { ASKER_KIND, SUBJECT_JOINS, SUBJECT_STATUS } from "@/lib/core/approvals/subject-columns";
import type { Context, MemberActor } from "@/lib/core/context";
import { mayDecide } from "@/lib/core/keys/permits";
import type { Queryable } from "@/lib/platform/db/transaction";
import type { Services } from "@/lib/platform/services";

/** More than this at once is a runaway key; the page says how many there are. */
const MAXIMUM_WAITING = 200;
const DECIDED_PAGE_SIZE = 20;

const STATES: Record<DecidedFilter, ProposalState[]> = {
  ALL: ["APPROVED", "DENIED", "EXPIRED", "REVOKED"],
  APPROVED: ["APPROVED"],
  DENIED: ["DENIED", "REVOKED"],
  EXPIRED: ["EXPIRED"],
};

/** The inbox: what waits, soonest to close first, and one page of what was decided, newest first. */
export async function listProposals(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  filter: DecidedFilter,
  page: number,
  time: TimeContext,
): Promise<InboxView> {
  const [waiting, decided, totalCount] = await Promise.all([
    readWaitingRows(services.pool, context),
    readDecidedRows(services.pool, context, filter, page),
    countDecided(services.pool, context, filter),
  ]);
  const ids = [...waiting, ...decided].map((row) => row.id);
  const subjects = await readProposalSubjects(services.pool, context, ids);
  const subjectOf = (row: ProposalRow) => {
    const subject = subjects.get(row.id);
    if (!subject) throw new Error(`The proposal ${row.id} is about nothing`);
    return subject.view;
  };
  const firstPosition = (page - 1) * DECIDED_PAGE_SIZE + 1;
  return {
    waiting: waiting.map((row) => toWaiting(row, subjectOf(row))),
    decided: {
      filter,
      filterHrefs: {
        ALL: decidedHref("ALL", 1),
        APPROVED: decidedHref("APPROVED", 1),
        DENIED: decidedHref("DENIED", 1),
        EXPIRED: decidedHref("EXPIRED", 1),
      },
      rows: decided.map((row) => toDecided(row, subjectOf(row), context)),
      totalCount,
      firstPosition: decided.length > 0 ? firstPosition : 0,
      previousHref: page > 1 ? decidedHref(filter, page - 1) : null,
      nextHref: firstPosition + decided.length <= totalCount ? decidedHref(filter, page + 1) : null,
    },
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

function decidedHref(filter: DecidedFilter, page: number): string {
  const query = new URLSearchParams();
  if (filter !== "ALL") query.set("decided", filter.toLowerCase());
  if (page > 1) query.set("page", String(page));
  return query.size > 0 ? `/approvals?${query}` : "/approvals";
}

interface ProposalRow {
  id: string;
  state: ProposalState;
  status: SubjectStatus;
  asker_kind: AskerView["kind"];
  asker_name: string;
  reason: string | null;
  created_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  decided_by_name: string | null;
  decision_note: string | null;
}

const SELECT_PROPOSALS = `
  select p.id, p.state, ${SUBJECT_STATUS} as status, ${ASKER_KIND} as asker_kind,
      coalesce(t.proposed_by_name, e.started_by_name, '') as asker_name,
      coalesce(t.reason_for_approval, e.reason_for_approval) as reason, p.created_at, p.expires_at, p.decided_at,
      p.decided_by, u.name as decided_by_name, p.decision_note
    from proposals p ${SUBJECT_JOINS}
    left join users u on u.id = p.decided_by`;

async function readWaitingRows(database: Queryable, context: Context): Promise<ProposalRow[]> {
  const { rows } = await database.query<ProposalRow>({
    name: "list_waiting_proposals",
    text: `${SELECT_PROPOSALS}
      where p.organization_id = $1 and p.state = 'WAITING' and p.expires_at > $2
      order by p.expires_at, p.id limit ${MAXIMUM_WAITING}`,
    values: [context.organizationId, context.now],
  });
  return rows;
}

async function readDecidedRows(
  database: Queryable,
  context: Context,
  filter: DecidedFilter,
  page: number,
): Promise<ProposalRow[]> {
  const { rows } = await database.query<ProposalRow>({
    name: "list_decided_proposals",
    text: `${SELECT_PROPOSALS}
      where p.organization_id = $1 and p.state <> 'WAITING' and p.state = any ($2)
      order by p.decided_at desc, p.id desc limit ${DECIDED_PAGE_SIZE} offset $3`,
    values: [context.organizationId, STATES[filter], (page - 1) * DECIDED_PAGE_SIZE],
  });
  return rows;
}

async function countDecided(database: Queryable, context: Context, filter: DecidedFilter): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    name: "count_decided_proposals",
    text: `select count(*)::int as count from proposals
            where organization_id = $1 and state <> 'WAITING' and state = any ($2)`,
    values: [context.organizationId, STATES[filter]],
  });
  return rows[0]?.count ?? 0;
}

function toWaiting(row: ProposalRow, subject: ProposalSubjectView): WaitingProposalView {
  return {
    ...toCommon(row, subject),
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}

function toDecided(row: ProposalRow, subject: ProposalSubjectView, context: Context): DecidedProposalView {
  const status = approvalStatus(
    { state: row.state, status: row.status, expiresAt: row.expires_at },
    context.now,
  );
  if (status === "WAITING") throw new Error("A decided proposal waits");
  const isByHand = row.decided_by !== null && (row.state === "APPROVED" || row.state === "DENIED");
  return {
    ...toCommon(row, subject),
    decidedAt: (row.decided_at ?? row.expires_at).toISOString(),
    status,
    decision: isByHand
      ? {
          kind: row.state === "APPROVED" ? "APPROVED" : "DENIED",
          byName: row.decided_by_name ?? "a former member",
          byViewer: row.decided_by === context.actor.id,
          note: row.decision_note,
        }
      : null,
  };
}

function toCommon(row: ProposalRow, subject: ProposalSubjectView) {
  return {
    id: row.id,
    href: proposalHref(row.id),
    subject,
    askerKind: row.asker_kind,
    askerName: row.asker_name,
  };
}
