import type { MarkInput, ReviewMark } from "@/lib/contract/approvals/review";
import { AppError } from "@/lib/contract/error";
import { MAXIMUM_REVIEW_MARKS, REVIEW_MARK_LIFETIME_MS } from "@/lib/contract/limits";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export interface KeptMark {
  mark: ReviewMark;
  /** The digest of what was shown when it was marked. */
  digest: string;
  /** Business time. */
  markedAt: Date;
}

/** The marks of this member that still count, by proposal. */
export async function readMarks(
  database: Queryable,
  { organizationId, actor, now }: Pick<Context<MemberActor>, "organizationId" | "actor" | "now">,
): Promise<Map<string, KeptMark>> {
  const { rows } = await database.query<KeptMark & { proposalId: string }>({
    name: "read_review_marks",
    text: `
      select proposal_id as "proposalId", mark, digest, marked_at as "markedAt" from review_marks
       where organization_id = $1 and user_id = $2 and marked_at > $3
       order by marked_at desc limit ${MAXIMUM_REVIEW_MARKS}`,
    values: [organizationId, actor.id, expiredAt(now)],
  });
  return new Map(rows.map(({ proposalId, ...mark }) => [proposalId, mark]));
}

/** Marks older than this no longer count. */
function expiredAt(now: Date): Date {
  return new Date(now.getTime() - REVIEW_MARK_LIFETIME_MS);
}

/**
 * Keeps what a member marked, for a day; only they see it. Decides nothing and moves nothing.
 * @throws AppError `INVALID_PARAMETERS` if the proposal is not in this organization or no longer waits, and beyond
 * MAXIMUM_REVIEW_MARKS.
 */
export async function markProposal(
  { pool }: Pick<Services, "pool">,
  { organizationId, actor, now }: Context<MemberActor>,
  { proposalId, mark, digest }: MarkInput,
): Promise<void> {
  if (mark === null) return removeMarks(pool, { organizationId, actor }, [proposalId]);
  const { rows } = await pool.query<{ waits: boolean; isKept: boolean }>({
    name: "keep_review_mark",
    text: `
      with waiting as (
        select id from proposals where organization_id = $1 and id = $3 and state = 'WAITING' and expires_at > $6),
      kept as (
        insert into review_marks (organization_id, user_id, proposal_id, mark, digest, marked_at)
          select $1, $2, id, $4, $5, $6 from waiting
           where (select count(*) from review_marks where organization_id = $1 and user_id = $2) < $7
          on conflict (organization_id, user_id, proposal_id)
          do update set mark = excluded.mark, digest = excluded.digest, marked_at = excluded.marked_at
          returning 1)
      select exists (select from waiting) as waits, exists (select from kept) as "isKept"`,
    values: [organizationId, actor.id, proposalId, mark, digest, now, MAXIMUM_REVIEW_MARKS],
  });
  const [row] = rows;
  if (!row?.waits) throw refusal("This proposal no longer waits. Nothing was marked.");
  if (!row.isKept) throw refusal("You have marked too many proposals. Confirm or leave some of them first.");
}

/** Removes marks of this member: those that were decided have no use any more. */
export async function removeMarks(
  database: Queryable,
  { organizationId, actor }: Pick<Context<MemberActor>, "organizationId" | "actor">,
  proposalIds: readonly string[],
): Promise<void> {
  await database.query({
    name: "remove_review_marks",
    text: "delete from review_marks where organization_id = $1 and user_id = $2 and proposal_id = any ($3::uuid[])",
    values: [organizationId, actor.id, proposalIds],
  });
}

function refusal(message: string): AppError {
  return new AppError("INVALID_PARAMETERS", message);
}
