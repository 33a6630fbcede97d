import type { ProposalSubjectView, RequesterView } from "@/lib/contract/approvals/approval";
import type { ReviewMark } from "@/lib/contract/approvals/review";
import { MAXIMUM_DECIDED_TOGETHER } from "@/lib/contract/limits";
import type { QueueSearch } from "@/lib/contract/search/queue-search";
import { readWaitingSubjects } from "@/lib/core/approvals/batches/waiting-subjects";
import type { ProposalSubject } from "@/lib/core/approvals/proposal-subjects";
import { type KeptMark, readMarks } from "@/lib/core/approvals/review-marks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import {
  REQUESTER_ID,
  REQUESTER_KIND,
  REQUESTER_NAME,
  SUBJECT_JOINS,
} from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import { isAmong, readWaitingRows, type WaitingRow } from "@/lib/views/approvals/read-queue";

/** One proposal of a review. */
export interface ReviewStep {
  id: string;
  subject: ProposalSubjectView;
  requesterKind: RequesterView["kind"];
  requesterName: string;
  reason: string | null;
  expiresAt: string;
  mark: ReviewMark | null;
  /** It no longer waits: it was marked, or is open on the page. */
  isOver: boolean;
}

/** A step with what its forecast needs; not sent to the browser. */
export interface ReadStep extends ReviewStep {
  kept: KeptMark | null;
  moves: ProposalSubject["moves"];
  chainDepth: number;
  accountIds: readonly string[];
}

/**
 * The proposals of a review: what waits under these filters, in the order of the queue, at most 50; and in their places
 * those that this member marked and that no longer wait.
 * @param openId one that the page shows, also when it no longer waits
 */
export async function readReviewSteps(
  database: Queryable,
  context: Context<MemberActor>,
  search: QueueSearch,
  openId: string | null,
): Promise<ReadStep[]> {
  const [waiting, marks] = await Promise.all([
    readWaitingRows(database, context, search.requester),
    readMarks(database, context),
  ]);
  const waitingIds = new Set(waiting.map(({ id }) => id));
  const sought = [...marks].flatMap(([id, { mark }]) => (mark === "SKIPPED" ? [] : [id]));
  if (openId !== null) sought.push(openId);
  const over = await readOver(
    database,
    context,
    sought.filter((id) => !waitingIds.has(id)),
    search.requester,
  );
  const rows = [
    ...(isByRequesterOnly(search) ? waiting.slice(0, MAXIMUM_DECIDED_TOGETHER) : waiting),
    ...over,
  ];
  const subjects = await readWaitingSubjects(
    database,
    context,
    rows.map(({ id }) => id),
  );
  const steps = rows.flatMap((row): ReadStep[] => {
    const subject = subjects.get(row.id);
    // A batch has a page of its own, where its lines are struck out.
    if (!subject || subject.batchId !== null || !isAmong({ subject: subject.view }, subject, search))
      return [];
    return [toStep(row, subject, marks.get(row.id) ?? null, !waitingIds.has(row.id))];
  });
  const shown = new Set(
    steps
      .filter(({ isOver }) => !isOver)
      .slice(0, MAXIMUM_DECIDED_TOGETHER)
      .map(({ id }) => id),
  );
  return steps
    .filter(({ id, isOver }) => isOver || shown.has(id))
    .toSorted((a, b) => (`${a.expiresAt} ${a.id}` < `${b.expiresAt} ${b.id}` ? -1 : 1));
}

/** Then the first 50 rows are the first 50 of the review. */
function isByRequesterOnly({ kind, account, least, most }: QueueSearch): boolean {
  return kind === null && account === null && least === null && most === null;
}

function toStep(
  row: WaitingRow,
  { view, moves, chainDepth, accountIds }: ProposalSubject,
  kept: KeptMark | null,
  isOver: boolean,
): ReadStep {
  return {
    id: row.id,
    subject: view,
    requesterKind: row.requesterKind,
    requesterName: row.requesterName,
    reason: row.reason,
    expiresAt: row.expiresAt.toISOString(),
    mark: kept?.mark ?? null,
    isOver,
    kept,
    moves,
    chainDepth,
    accountIds,
  };
}

/** What of a step the browser gets. */
export function shownStep({
  kept: _,
  moves: __,
  chainDepth: ___,
  accountIds: ____,
  ...shown
}: ReadStep): ReviewStep {
  return shown;
}

/** Those of these proposals that no longer wait. */
async function readOver(
  database: Queryable,
  { organizationId, now }: Context,
  ids: readonly string[],
  requesterId: string | null,
): Promise<WaitingRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await database.query<WaitingRow>({
    name: "list_reviewed_over",
    text: `
      select p.id, ${REQUESTER_ID} as "requesterId", ${REQUESTER_KIND} as "requesterKind",
          coalesce(${REQUESTER_NAME}, '') as "requesterName",
          coalesce(t.reason_for_approval, e.reason_for_approval) as reason, p.created_at as "createdAt",
          p.expires_at as "expiresAt"
        from proposals p ${SUBJECT_JOINS}
       where p.organization_id = $1 and p.id = any ($2::uuid[]) and not (p.state = 'WAITING' and p.expires_at > $3)
         and ($4::uuid is null or ${REQUESTER_ID} = $4)
       order by p.expires_at, p.id limit ${MAXIMUM_DECIDED_TOGETHER}`,
    values: [organizationId, ids, now, requesterId],
  });
  return rows;
}
