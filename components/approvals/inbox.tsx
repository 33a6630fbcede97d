import { ChevronRight, Flag } from "lucide-react";
import type { ReactNode } from "react";
import { DecidedSection } from "@/components/approvals/decided-section";
import { InboxKeys } from "@/components/approvals/inbox-keys";
import { endsOf, inboxTitle, kindWords, RequesterName } from "@/components/approvals/proposal-words";
import { ProposalsChart } from "@/components/approvals/proposals-chart";
import { Amount } from "@/components/money/amount";
import { ProposedRules, proposedRulesTitle } from "@/components/rules/proposed-rules";
import { Flow } from "@/components/sluice/row-sluice";
import { OpenWaterScene } from "@/components/sluice/scenes";
import { formatTimeLeft, percentLeft } from "@/components/time/time-left";
import { Gauge } from "@/components/ui/gauge";
import { KeyHints } from "@/components/ui/key-hints";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { PagerLink } from "@/components/ui/pager-link";
import { Section } from "@/components/ui/section";
import type { InboxView, WaitingProposalView } from "@/lib/contract/views/inbox-view";
import type { TimeContext } from "@/lib/contract/views/time-context";

const LIST_ID = "waiting";

/** Open proposals, then decided ones. */
export function Inbox({ view, saved }: { view: InboxView; saved?: ReactNode }) {
  const { waiting, waitingCount, rules, viewer, time } = view;
  return (
    <>
      <PageHead
        title={inboxTitle(waitingCount, viewer.canDecide)}
        lede={ledeOf(view)}
        actions={waiting.length > 0 ? <InboxKeyHints /> : null}
      />
      {waiting.length > 0 ? <WaitingList waiting={waiting} time={time} /> : null}
      {waiting.length === 0 && rules.count === 0 ? <OpenWaterScene /> : null}
      <MoreWaiting view={view} />
      {rules.count > 0 ? (
        <Section
          id="rules"
          title={proposedRulesTitle(viewer.canDecide)}
          fact={rules.count === 1 ? "1 rule" : `${rules.count} rules`}
        >
          <ProposedRules rules={rules} time={time} />
        </Section>
      ) : null}
      <OverTime view={view} />
      <DecidedSection view={view} saved={saved} />
    </>
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

function MoreWaiting({ view: { waiting, waitingCount, allWaitingHref } }: { view: InboxView }) {
  if (waitingCount <= waiting.length) return null;
  return (
    <div className="pager">
      <span>
        The {waiting.length} that close first, of {waitingCount} that wait
      </span>
      {allWaitingHref === null ? null : (
        <span className="pager-a">
          <PagerLink href={allWaitingHref}>Show all open proposals</PagerLink>
        </span>
      )}
    </div>
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

function ledeOf({ waitingCount, viewer }: InboxView): string {
  if (waitingCount === 0) {
    return viewer.canDecide
      ? "New proposals appear here and reach you by email and SMS."
      : "New proposals appear here. Owners and co-owners decide.";
  }
  if (!viewer.canDecide) return "Closing soonest first. Owners and co-owners decide.";
  return waitingCount === 1 ? "Open it to decide." : "Closing soonest first. Open each one to decide.";
}

/** Open proposals, closing soonest first. There is no bulk approval: each one is opened to decide. */
function WaitingList({ waiting, time }: { waiting: WaitingProposalView[]; time: TimeContext }) {
  return (
    <>
      <ul className="props" id={LIST_ID} aria-label="Waiting">
        {waiting.map((proposal) => (
          <li key={proposal.id}>
            <WaitingRow proposal={proposal} time={time} />
          </li>
        ))}
      </ul>
      <InboxKeys listId={LIST_ID} />
    </>
  );
}

function WaitingRow({ proposal, time }: { proposal: WaitingProposalView; time: TimeContext }) {
  const now = Date.parse(time.nowAt);
  const leftMs = Date.parse(proposal.expiresAt) - now;
  const wholeMs = Date.parse(proposal.expiresAt) - Date.parse(proposal.createdAt);
  return (
    <Link className="prop" href={proposal.href}>
      <div className="tleft">
        <span>{formatTimeLeft(leftMs)} left</span>
        <Gauge percent={percentLeft(leftMs, wholeMs)} tone="waiting" />
      </div>
      <div className="prop-m">
        <p className="prop-t">
          <Flow {...endsOf(proposal.subject)} state="closed" />
          <span className="tag">{kindWords(proposal.subject)}</span>
          {proposal.isPossibleDuplicate ? (
            <span className="tag">
              <Flag className="size-3" aria-hidden="true" />
              Possible duplicate
            </span>
          ) : null}
        </p>
        <p className="prop-w">
          <RequesterName kind={proposal.requesterKind} name={proposal.requesterName} />{" "}
          <span>{proposal.reason ? `“${proposal.reason}”` : "gave no reason"}</span>
        </p>
      </div>
      <div className="prop-a">
        {proposal.subject.amountInCents === null ? (
          <span className="dim">Can’t run now</span>
        ) : (
          <Amount cents={proposal.subject.amountInCents} size="xl" />
        )}
      </div>
      <span className="btn btn-s hide-s" aria-hidden="true">
        Review
        <ChevronRight className="ic" />
      </span>
    </Link>
  );
}
