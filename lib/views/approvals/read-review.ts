import type { BalanceRowView } from "@/lib/contract/approvals/approval";
import { type QueueSearch, REVIEW_END } from "@/lib/contract/search/queue-search";
import { readApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { followsOf } from "@/lib/core/approvals/describe-transfer";
import { describeChanges } from "@/lib/core/approvals/digest";
import { forecastTogether } from "@/lib/core/approvals/forecast-approval";
import { countWaiting } from "@/lib/core/approvals/read-waiting";
import type { Forecast } from "@/lib/engine/forecast/forecast-arrivals";
import type { ForecastMove } from "@/lib/engine/forecast/money-after";
import { type ApprovalView, getApproval } from "@/lib/views/approvals/get-approval";
import { readReviewEnd } from "@/lib/views/approvals/read-review-end";
import { type ReadStep, readReviewSteps, shownStep } from "@/lib/views/approvals/read-review-steps";
import type { TimedReading } from "@/lib/views/reading";

/**
 * One page of a review (docs/behavior/approvals.md): a proposal with what was marked before it, or the end with everything
 * that was marked. Null: nothing waits under these filters, and nothing was marked.
 * @param at a proposal, or `end`; null: the first that is not marked
 */
export async function readReview(
  reading: TimedReading<"pool" | "clock">,
  search: QueueSearch,
  at: string | null,
) {
  const { services, context, time } = reading;
  const openId = at === REVIEW_END ? null : at;
  const [steps, waitingCount] = await Promise.all([
    readReviewSteps(services.pool, context, search, openId),
    countWaiting(services.pool, context.organizationId, context.now),
  ]);
  if (steps.length === 0) return null;
  const index = at === REVIEW_END ? -1 : placeOf(steps, openId);
  const common = {
    search,
    steps: steps.map(shownStep),
    /** All that wait in the organization, in this review or not. */
    waitingCount,
    time,
  };
  const step = steps[index];
  if (!step) return { ...common, kind: "END" as const, end: await readReviewEnd(reading, steps) };
  const approval = await getApproval(reading, step.id);
  if (!approval) return null;
  const [outlook, changes] = await Promise.all([
    readWithMarked(reading, steps, index, approval),
    readChangesSinceMarked(reading, step, approval),
  ]);
  return {
    ...common,
    kind: "PROPOSAL" as const,
    /** In `steps`. */
    index,
    approval,
    /** What changed since this member marked it, one sentence each: the mark no longer counts. Null: nothing did. */
    changesSinceMarked: changes,
    ...outlook,
  };
}

export type ReviewView = NonNullable<Awaited<ReturnType<typeof readReview>>>;
export type ReviewProposalView = Extract<ReviewView, { kind: "PROPOSAL" }>;
export type ReviewEndView = Extract<ReviewView, { kind: "END" }>;

/** -1: everything is marked. */
function placeOf(steps: readonly ReadStep[], openId: string | null): number {
  const open = steps.findIndex(({ id }) => id === openId);
  return open === -1 ? steps.findIndex(({ mark, isOver }) => mark === null && !isOver) : open;
}

async function readChangesSinceMarked(
  { services, context }: TimedReading,
  { id, kept, isOver }: ReadStep,
  { digest }: ApprovalView,
): Promise<string[] | null> {
  if (isOver || kept === null || kept.mark !== "APPROVE" || kept.digest === digest) return null;
  const facts = await readApprovalFacts(services.pool, context.organizationId, id, context.now);
  return facts && describeChanges(kept.digest, facts, runChecks(facts));
}

function isMeant({ mark, isOver }: ReadStep): boolean {
  return mark === "APPROVE" && !isOver;
}

/** The proposal with what is marked to be approved: its balances, and the accounts that would be low. */
async function readWithMarked(
  { services, context, time }: TimedReading,
  steps: readonly ReadStep[],
  index: number,
  approval: ApprovalView,
) {
  const forecast = (meant: readonly ReadStep[]) =>
    forecastTogether(services.pool, context, meant, time.timeZone);
  const before = steps.slice(0, index).filter(isMeant);
  const others = steps.filter((one, place) => place !== index && isMeant(one));
  const current = steps[index];
  const isIncluded = current !== undefined && !current.isOver && current.mark !== "DENY";
  const [withBefore, withCurrent, withAll] = await Promise.all([
    forecast(before),
    forecast(current ? [...before, current] : before),
    forecast(isIncluded ? steps.filter((one, place) => place === index || isMeant(one)) : others),
  ]);
  const sources = new Set((isIncluded ? [...others, current] : others).flatMap(sourcesOf));
  return {
    /** To approve, in the order of the review. */
    markedBeforeCount: before.length,
    balances: balancesWith(approval, movesOf(before), withBefore, withCurrent),
    /** Whether the outlook includes this proposal. */
    isIncluded,
    /** To approve, without this one. */
    otherMarkedCount: others.length,
    /** What the sources would hold once all that is marked is approved, and this one; the lowest first. */
    outlooks: others.length === 0 ? [] : outlooksOf(sources, withAll),
  };
}

/** Balances before, with those marked before it, with this one, and after. */
function balancesWith(
  { balances }: ApprovalView,
  before: readonly ForecastMove[],
  withBefore: Forecast,
  withCurrent: Forecast,
) {
  const earlier = changesOf([...before, ...followsOf(withBefore)]);
  const followedBefore = changesOf(followsOf(withBefore));
  const follows = changesOf(followsOf(withCurrent));
  return balances.map((row) => {
    const id = row.accountId ?? "";
    const beforeInCents = earlier.get(id) ?? 0;
    const followsInCents = (follows.get(id) ?? 0) - (followedBefore.get(id) ?? 0);
    return {
      ...row,
      beforeInCents,
      followsInCents,
      afterInCents: afterOf(row, beforeInCents, followsInCents),
    };
  });
}

export type ReviewBalance = ReturnType<typeof balancesWith>[number];

function afterOf(
  { nowInCents, changeInCents }: BalanceRowView,
  beforeInCents: number,
  followsInCents: number,
): number | null {
  return nowInCents === null ? null : nowInCents + beforeInCents + changeInCents + followsInCents;
}

function changesOf(moves: readonly ForecastMove[]): Map<string, number> {
  const changes = new Map<string, number>();
  for (const { sourceAccountId, destinationAccountId, amountInCents } of moves) {
    changes.set(sourceAccountId, (changes.get(sourceAccountId) ?? 0) - amountInCents);
    changes.set(destinationAccountId, (changes.get(destinationAccountId) ?? 0) + amountInCents);
  }
  return changes;
}

function movesOf(steps: readonly ReadStep[]): ForecastMove[] {
  return steps.flatMap(({ moves }) => moves);
}

function sourcesOf({ moves }: ReadStep): string[] {
  return moves.map(({ sourceAccountId }) => sourceAccountId);
}

/** How many accounts are named. */
const NAMED_OUTLOOKS = 3;

/** Those that would be short or below their floor; if none, the one that comes closest to its floor. */
function outlooksOf(sources: ReadonlySet<string>, { accounts }: Forecast) {
  const outlooks = [...sources].flatMap((id) => {
    const account = accounts[id];
    if (!account || account.availableInCents === null) return [];
    const { name, availableInCents: holdsInCents, floorInCents } = account;
    if (floorInCents === null && holdsInCents >= 0) return [];
    const marginInCents = holdsInCents - (floorInCents ?? 0);
    return [{ accountName: name, holdsInCents, floorInCents, marginInCents }];
  });
  const lowest = outlooks.toSorted((a, b) => a.marginInCents - b.marginInCents);
  const low = lowest.filter(({ marginInCents }) => marginInCents < 0);
  return low.length > 0 ? low.slice(0, NAMED_OUTLOOKS) : lowest.slice(0, 1);
}
