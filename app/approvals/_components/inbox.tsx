"use client";

import { ChevronRight, Flag } from "lucide-react";
import type { ReactNode } from "react";
import { DecidedSection } from "@/app/approvals/_components/decided-section";
import { InboxKeys } from "@/app/approvals/_components/inbox-keys";
import { KeyHints } from "@/app/approvals/_components/key-hints";
import { ProposalsChart } from "@/app/approvals/_components/proposals-chart";
import { QUEUE_STOPS, Queue } from "@/app/approvals/_components/queue";
import { reviewWords } from "@/app/approvals/_components/review-words";
import { useDenyRoute } from "@/app/approvals/_components/use-deny-route";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { Section } from "@/components/layout/section";
import { Amount } from "@/components/money/amount";
import { endsOf, inboxTitle, kindWords, RequesterName } from "@/components/parts/approvals/proposal-words";
import {
  ProposedRules,
  ProposedStops,
  proposedRulesTitle,
  proposedStopsTitle,
  WaitingChanges,
  WaitingMandates,
  waitingChangesTitle,
  waitingMandatesTitle,
} from "@/components/parts/approvals/proposed-rules";
import { Flow } from "@/components/sluice/row-sluice";
import { OpenWaterScene } from "@/components/sluice/scenes";
import { formatTimeLeft, percentLeft } from "@/components/time/time-left";
import { buttonClass } from "@/components/ui/button";
import { Gauge } from "@/components/ui/gauge";
import { Link } from "@/components/ui/link";
import { TAG } from "@/components/ui/text-styles";
import { reviewHref } from "@/lib/contract/search/queue-search";
import type { TimeContext } from "@/lib/contract/time-context";
import type { InboxView } from "@/lib/views/approvals/list-proposals";
import type { QueueGroups, WaitingProposalView } from "@/lib/views/approvals/read-queue";

const LIST_ID = "waiting";
const LIST_STOPS = `#${LIST_ID} > li > a`;

/** Open proposals, then decided ones. */
export function Inbox({ view, saved }: { view: InboxView; saved?: ReactNode }) {
  const { waiting, waitingCount, groups, rules, stops, mandates, changes, viewer, time } = view;
  const reviewable = groups && groups.review.count > 0 && viewer.canDecide ? groups : null;
  const { denyRoute, dialog } = useDenyRoute(view);
  return (
    <>
      <PageHead
        title={inboxTitle(waitingCount, viewer.canDecide)}
        lede={ledeOf(view)}
        actions={
          reviewable ? (
            <StartReview groups={reviewable} view={view} />
          ) : waitingCount > 0 && !groups ? (
            <InboxKeyHints />
          ) : null
        }
      />
      {groups ? (
        <Queue view={view} groups={groups} onDeny={denyRoute} />
      ) : (
        <WaitingList waiting={waiting} time={time} />
      )}
      {dialog}
      <InboxKeys
        stops={groups ? QUEUE_STOPS : LIST_STOPS}
        nextHref={waiting[0]?.href ?? null}
        reviewHref={reviewable ? reviewHref(reviewable.search) : null}
      />
      {waitingCount + rules.count + stops.count + mandates.count + changes.count === 0 ? (
        <OpenWaterScene />
      ) : null}
      {mandates.count > 0 ? (
        <Section
          id="mandates"
          title={waitingMandatesTitle(viewer.canDecide)}
          fact={mandates.count === 1 ? "1 mandate" : `${mandates.count} mandates`}
        >
          <WaitingMandates mandates={mandates} time={time} />
        </Section>
      ) : null}
      {changes.count > 0 ? (
        <Section
          id="changes"
          title={waitingChangesTitle(viewer.canDecide)}
          fact={changes.count === 1 ? "1 change" : `${changes.count} changes`}
        >
          <WaitingChanges changes={changes} time={time} />
        </Section>
      ) : null}
      {rules.count > 0 ? (
        <Section
          id="rules"
          title={proposedRulesTitle(viewer.canDecide)}
          fact={rules.count === 1 ? "1 rule" : `${rules.count} rules`}
        >
          <ProposedRules rules={rules} time={time} />
        </Section>
      ) : null}
      {stops.count > 0 ? (
        <Section
          id="stops"
          title={proposedStopsTitle(viewer.canDecide)}
          fact={stops.count === 1 ? "1 rule" : `${stops.count} rules`}
        >
          <ProposedStops stops={stops} time={time} />
        </Section>
      ) : null}
      <OverTime view={view} />
      <DecidedSection view={view} saved={saved} />
    </>
  );
}

/** Nothing here decides: each proposal is opened and marked, and one confirmation comes at the end. */
function StartReview({ groups, view }: { groups: QueueGroups; view: InboxView }) {
  const { search, review } = groups;
  const words = reviewWords(review, view.areGatesClosed);
  const isAll = review.count === view.waitingCount && review.markedCount === 0;
  return (
    <PageActions>
      <Link className={buttonClass({ kind: "primary" })} href={reviewHref(search)}>
        {isAll ? words.replace("Review", "Review all") : words}
        <kbd className="max-sm:hidden">R</kbd>
      </Link>
    </PageActions>
  );
}

function OverTime({ view }: { view: InboxView }) {
  if (view.days.every(({ asked, approved, denied, lapsed }) => asked + approved + denied + lapsed === 0)) {
    return null;
  }
  return (
    <Section id="over-time" title="Asked and decided" fact={`Last ${view.days.length} days`}>
      <ProposalsChart view={view} />
    </Section>
  );
}

function InboxKeyHints() {
  return (
    <KeyHints
      hints={[
        { keys: ["J", "K"], does: "move" },
        { keys: ["↵"], does: "open" },
      ]}
    />
  );
}

function ledeOf({ waitingCount, waiting, groups, areGatesClosed, viewer, time }: InboxView): string {
  if (waitingCount === 0) {
    return viewer.canDecide
      ? "New proposals appear here and reach you by email and SMS."
      : "New proposals appear here. Owners and co-owners decide.";
  }
  if (!viewer.canDecide) return "Closing soonest first. Owners and co-owners decide.";
  if (areGatesClosed) {
    return "All gates are closed: you can deny, and approve once they are open. The time to decide goes on.";
  }
  const [first] = waiting;
  if (groups && first) {
    const requesters = groups.requesterCount === 1 ? "1 requester" : `${groups.requesterCount} requesters`;
    const leftMs = Date.parse(first.expiresAt) - Date.parse(time.nowAt);
    return `From ${requesters}. The first closes in ${formatTimeLeft(leftMs)}. In a review you see each one and mark it; you confirm once at the end.${batchesWords(groups.review)}`;
  }
  return waitingCount === 1 ? "Open it to decide." : "Closing soonest first. Open each one to decide.";
}

/** Why the review holds fewer than wait. */
function batchesWords({ batchCount }: QueueGroups["review"]): string {
  if (batchCount === 0) return "";
  return batchCount === 1 ? " The batch has its own page." : " Each batch has its own page.";
}

/** Open proposals, closing soonest first. Each one is opened to decide. */
function WaitingList({ waiting, time }: { waiting: WaitingProposalView[]; time: TimeContext }) {
  if (waiting.length === 0) return null;
  return (
    <ul
      className="border-t border-b border-rule-strong [&_li]:relative [&_li+li]:border-t [&_li+li]:border-rule [&_li:hover]:bg-[linear-gradient(90deg,transparent,var(--color-hover)_8%_92%,transparent)] [&_li:has(>_a:focus-visible)]:before:absolute [&_li:has(>_a:focus-visible)]:before:inset-y-3 [&_li:has(>_a:focus-visible)]:before:-left-4 [&_li:has(>_a:focus-visible)]:before:w-1.25 [&_li:has(>_a:focus-visible)]:before:bg-teal"
      id={LIST_ID}
      aria-label="Waiting"
    >
      {waiting.map((proposal) => (
        <li key={proposal.id}>
          <WaitingRow proposal={proposal} time={time} />
        </li>
      ))}
    </ul>
  );
}

function WaitingRow({ proposal, time }: { proposal: WaitingProposalView; time: TimeContext }) {
  const now = Date.parse(time.nowAt);
  const leftMs = Date.parse(proposal.expiresAt) - now;
  const wholeMs = Date.parse(proposal.expiresAt) - Date.parse(proposal.createdAt);
  return (
    <Link
      className="grid grid-cols-[128px_minmax(0,1fr)_auto_auto] items-center gap-8 py-5.5 px-0 max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-y-2.5 max-sm:gap-x-4 max-sm:py-4.5 max-sm:px-0"
      href={proposal.href}
    >
      <div className="grid gap-2 text-[13px] font-semibold text-ink max-sm:order-2 max-sm:col-1">
        <span>{formatTimeLeft(leftMs)} left</span>
        <Gauge percent={percentLeft(leftMs, wholeMs)} tone="waiting" />
      </div>
      <div className="grid gap-1.5 min-w-0 max-sm:col-span-full">
        <p className="flex flex-wrap items-center gap-y-1.5 gap-x-3.5 text-[16px]/6 font-semibold">
          <Flow {...endsOf(proposal.subject)} state="closed" layout="wrappingOnPhones" />
          <span className={`${TAG} font-normal`}>{kindWords(proposal.subject)}</span>
          {proposal.isPossibleDuplicate ? (
            <span className={`${TAG} font-normal`}>
              <Flag className="size-3 stroke-2" aria-hidden="true" />
              Possible duplicate
            </span>
          ) : null}
        </p>
        <p className="[display:-webkit-box] max-w-[66ch] wrap-anywhere text-ink-2 overflow-hidden [-webkit-line-clamp:2] [-webkit-box-orient:vertical]">
          <RequesterName kind={proposal.requesterKind} name={proposal.requesterName} />{" "}
          <span>{proposal.reason ? `“${proposal.reason}”` : "gave no reason"}</span>
        </p>
      </div>
      <div className="text-right max-sm:order-3 max-sm:self-end">
        {proposal.subject.amountInCents === null ? (
          <span className="text-ink-3">Can’t run now</span>
        ) : (
          <Amount cents={proposal.subject.amountInCents} size="xl" />
        )}
      </div>
      <span className={`${buttonClass({ kind: "outlined" })} max-sm:hidden!`} aria-hidden="true">
        Review
        <ChevronRight />
      </span>
    </Link>
  );
}
