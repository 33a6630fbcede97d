import type { ApprovalStatus } from "@/lib/contract/approvals/approval";
import { approvalStatus } from "@/lib/core/approvals/approval-facts";
import { accountsTouched, describeBalances, followsOf } from "@/lib/core/approvals/describe-transfer";
import { forecastTogether } from "@/lib/core/approvals/forecast-approval";
import type { ProposalState, SubjectStatus } from "@/lib/core/approvals/proposal-facts";
import { type RehearsedApproval, rehearseApprovals } from "@/lib/core/approvals/rehearse-approvals";
import { readClosedGates } from "@/lib/core/keys/gates";
import { DECIDER_ID, deciderName } from "@/lib/core/shared/proposal-decision";
import { SUBJECT_JOINS, SUBJECT_STATUS } from "@/lib/core/shared/subject-columns";
import { freshSignInUntil } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import { settlesLater } from "@/lib/engine/forecast/money-after";
import { type ReadStep, shownStep } from "@/lib/views/approvals/read-review-steps";
import type { TimedReading } from "@/lib/views/reading";
import { FORMER_MEMBER } from "@/lib/words/names";

/**
 * The end of a review: what one confirmation will approve, as each is after those before it, and deny; what dropped out and
 * why; what was skipped. Reads and rehearses; decides nothing.
 */
export async function readReviewEnd(
  { services, context, time }: TimedReading<"pool" | "clock">,
  steps: readonly ReadStep[],
) {
  const { pool } = services;
  const meant = steps.filter(({ mark, isOver }) => mark === "APPROVE" && !isOver);
  const [rehearsed, ends, gates, memberHasPasskey] = await Promise.all([
    rehearseApprovals(services, context, meant.map(toMeant), [
      ...new Set(meant.flatMap(({ accountIds }) => accountIds)),
    ]),
    readEnds(
      pool,
      context,
      steps.filter(({ isOver, mark }) => isOver && mark !== null).map(({ id }) => id),
    ),
    readClosedGates(pool, context.organizationId),
    hasPasskey(pool, context.actor.id),
  ]);
  const outcomes = new Map(meant.map(({ id }, index) => [id, rehearsed[index]]));
  const fits = meant.flatMap((step) => {
    const outcome = outcomes.get(step.id);
    if (outcome?.kind !== "FITS") return [];
    const { digest, changes, waitsFor } = outcome;
    return [{ ...shownStep(step), digest, changes, waitsFor }];
  });
  const approve = fits.filter(({ waitsFor }) => waitsFor === null);
  const fitting = new Set(approve.map(({ id }) => id));
  const approved = meant.filter(({ id }) => fitting.has(id));
  const deny = steps.filter(({ mark, isOver }) => mark === "DENY" && !isOver);
  const moves = approved.flatMap((step) => step.moves);
  const forecast = await forecastTogether(pool, context, approved, time.timeZone);
  const follows = followsOf(forecast);
  const parties = accountsTouched([...moves, ...follows]).flatMap((id) => {
    const facts = forecast.before[id];
    return facts ? [{ id, ...facts }] : [];
  });
  return {
    /** Everything that is approved or signed, in the order in which it was rehearsed. */
    fits,
    approve,
    /** This member's signature is one of several: it still waits afterwards, and nothing of it moves yet. */
    sign: fits.filter(({ waitsFor }) => waitsFor !== null),
    /** In the order of the review, after the approvals. */
    deny: deny.map(shownStep),
    dropped: steps.flatMap((step) => droppedOf(step, outcomes.get(step.id), ends.get(step.id))),
    skipped: steps.filter(({ mark, isOver }) => mark === "SKIPPED" && !isOver).map(shownStep),
    unmarked: steps.filter(({ mark, isOver }) => mark === null && !isOver).map(shownStep),
    approvedInCents: sumOf(moves),
    deniedInCents: sumOf(deny.flatMap((step) => step.moves)),
    followsInCents: sumOf(follows),
    /** Over a bank, so not at once. */
    laterInCents: sumOf(moves.filter((move) => settlesLater(forecast.before, move))),
    sourceNames: namesOf(
      approved.flatMap((step) => step.moves.map((move) => move.sourceAccountId)),
      forecast.before,
    ),
    deniedSourceNames: [...new Set(deny.map(({ subject }) => subject.sourceName))],
    ...describeBalances(parties, moves, follows),
    areGatesClosed: gates !== null,
    viewer: {
      hasPasskey: memberHasPasskey,
      freshUntil: freshSignInUntil(services, context, memberHasPasskey),
    },
  };
}

export type ReviewEnd = Awaited<ReturnType<typeof readReviewEnd>>;
export type DroppedStep = ReviewEnd["dropped"][number];

function toMeant({ id, kept }: ReadStep) {
  return { proposalId: id, digest: kept?.digest ?? "" };
}

function sumOf(moves: readonly { amountInCents: number }[]): number {
  return moves.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
}

function namesOf(ids: readonly string[], accounts: Readonly<Record<string, { name: string }>>): string[] {
  return [...new Set(ids)].flatMap((id) => accounts[id]?.name ?? []);
}

function droppedOf(step: ReadStep, rehearsed: RehearsedApproval | undefined, end: EndOfProposal | undefined) {
  if (step.kept === null) return [];
  const cause = end ? ({ kind: "OVER", ...end } as const) : rehearsed;
  if (!cause || cause.kind === "FITS") return [];
  return [{ ...shownStep(step), markedAt: step.kept.markedAt.toISOString(), cause }];
}

interface EndOfProposal {
  status: ApprovalStatus;
  /** Null: nobody decided it. */
  byName: string | null;
  byViewer: boolean;
  at: string;
}

interface EndRow {
  id: string;
  state: ProposalState;
  status: SubjectStatus;
  expiresAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
  decidedByName: string | null;
}

/** What became of those that no longer wait. */
async function readEnds(
  database: Queryable,
  { organizationId, actor, now }: TimedReading["context"],
  ids: readonly string[],
): Promise<Map<string, EndOfProposal>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.query<EndRow>({
    name: "read_ends_of_reviewed",
    text: `
      select p.id, p.state, ${SUBJECT_STATUS} as status, p.expires_at as "expiresAt", p.decided_at as "decidedAt",
          ${DECIDER_ID} as "decidedBy", ${deciderName("u")} as "decidedByName"
        from proposals p ${SUBJECT_JOINS} left join users u on u.id = p.decided_by
       where p.organization_id = $1 and p.id = any ($2::uuid[])`,
    values: [organizationId, ids],
  });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        status: approvalStatus(row, now),
        byName: row.decidedBy === null ? null : (row.decidedByName ?? FORMER_MEMBER),
        byViewer: row.decidedBy === actor.id,
        at: (row.decidedAt ?? row.expiresAt).toISOString(),
      },
    ]),
  );
}
