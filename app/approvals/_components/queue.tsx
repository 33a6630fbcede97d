"use client";

import { ChevronRight, Flag, Paperclip } from "lucide-react";
import { Outlooks } from "@/app/approvals/_components/outlooks";
import { QueueFilters } from "@/app/approvals/_components/queue-filters";
import { denyRouteWords, reviewWords } from "@/app/approvals/_components/review-words";
import { Amount } from "@/components/money/amount";
import { endsOf, kindWords } from "@/components/parts/approvals/proposal-words";
import { Flow } from "@/components/sluice/row-sluice";
import { formatTimeLeft, percentLeft } from "@/components/time/time-left";
import { Button, buttonClass } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Gauge } from "@/components/ui/gauge";
import { Link } from "@/components/ui/link";
import { Sum, Sums } from "@/components/ui/sums";
import { KEY_NAME, SECTION_TITLE, TAG } from "@/components/ui/text-styles";
import { type QueueSearch, reviewHref } from "@/lib/contract/search/queue-search";
import type { TimeContext } from "@/lib/contract/time-context";
import type { InboxView } from "@/lib/views/approvals/list-proposals";
import type {
  QueueGroups,
  QueueRoute,
  QueueSection,
  WaitingProposalView,
} from "@/lib/views/approvals/read-queue";

/** What `J` and `K` move through: routes, and the proposals of those that are open. */
export const QUEUE_STOPS = "[data-queue] summary, [data-queue] details[open] li > a";

interface QueueProps {
  view: InboxView;
  groups: QueueGroups;
  onDeny: (route: QueueRoute, section: QueueSection) => void;
}

/** From four proposals on: a section for each requester, a row for each route. Nothing here approves anything. */
export function Queue({ view, groups, onDeny }: QueueProps) {
  const { sections } = groups;
  const shownCount = sections.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <Sums columns={4}>
        <Sum label="Waiting">{waitingWords(shownCount, view.waitingCount)}</Sum>
        <Sum label="Together">
          <Amount cents={groups.sumInCents} />
        </Sum>
        <Sum label="Leaves Sluice">
          <Amount cents={groups.leavesInCents} />
        </Sum>
        <Sum label="Follows by rule">
          <Amount cents={groups.followsInCents} />
        </Sum>
      </Sums>
      {groups.outlook ? (
        <Outlooks
          outlooks={[groups.outlook]}
          when={`If you approve ${thoseWords(shownCount, !groups.isNarrowed)}`}
        />
      ) : null}
      <QueueFilters groups={groups} />
      <div data-queue="">
        {sections.map((section) => (
          <Section key={section.key} section={section} search={groups.search} view={view} onDeny={onDeny} />
        ))}
      </div>
      {sections.length === 0 ? <Empty title="No results">Clear a filter to see more.</Empty> : null}
      <p className="mt-10 grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 border-t border-b-3 [border-bottom-style:double] border-ink-3 py-3.5 font-semibold sm:pr-34">
        <span>{waitingWords(shownCount, view.waitingCount)}</span>
        <Amount cents={groups.sumInCents} />
      </p>
      {groups.isCut ? (
        <p className="mt-3 text-sm text-ink-3">
          These {shownCount} close first. Choose a requester to see its others.
        </p>
      ) : null}
    </>
  );
}

function thoseWords(count: number, isAll: boolean): string {
  if (isAll) return `all ${count}`;
  return count === 1 ? "this one" : `these ${count}`;
}

/** `12 proposals`; narrowed, `5 of 12 proposals`. */
function waitingWords(shownCount: number, waitingCount: number): string {
  const noun = waitingCount === 1 ? "proposal" : "proposals";
  return shownCount === waitingCount ? `${waitingCount} ${noun}` : `${shownCount} of ${waitingCount} ${noun}`;
}

const REQUESTER_WORDS: Record<QueueSection["requesterKind"], string> = {
  API_KEY: "API key",
  ASSISTANT: "Assistant",
  MEMBER: "Member",
  HOOK: "Rule’s address",
};

const SECTION_HEAD =
  "grid grid-cols-[minmax(0,1fr)_132px_120px_112px] items-center gap-x-6 border-b border-rule-strong pb-3 max-lg:grid-cols-[minmax(0,1fr)_auto_96px_92px] max-lg:gap-x-3 max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-4 max-sm:gap-y-0.5";

const SECTION_BUTTON = `${buttonClass({ kind: "outlined", size: "small" })} col-start-4 max-sm:col-start-2`;

interface SectionProps extends Pick<QueueProps, "view" | "onDeny"> {
  section: QueueSection;
  search: QueueSearch;
}

function Section({ section, search, view, onDeny }: SectionProps) {
  const { routes, count, requesterKind, requesterName } = section;
  const [onlyRoute] = routes;
  // References to an id end at a space.
  const headingId = section.key.replaceAll(/\s+/g, "-");
  const onlyProposal = count === 1 ? onlyRoute?.proposals[0] : undefined;
  return (
    <section className="mt-10" aria-labelledby={headingId}>
      <div className={SECTION_HEAD}>
        <h2
          id={headingId}
          className={`${SECTION_TITLE} flex flex-wrap items-baseline gap-x-3 gap-y-0.5 wrap-anywhere`}
        >
          <span className={requesterKind === "API_KEY" ? KEY_NAME : undefined}>
            {requesterName || "Without a name"}
          </span>
          <span className="text-sm font-normal text-ink-3">{REQUESTER_WORDS[requesterKind]}</span>
        </h2>
        {routes.length > 1 ? (
          <>
            <span className="text-right text-[13px] text-ink-3 max-sm:row-start-2 max-sm:text-left">
              {count} on {routes.length} routes
            </span>
            <span className="text-right max-sm:col-start-2 max-sm:row-start-1">
              <Amount cents={section.sumInCents} size="xl" />
            </span>
          </>
        ) : null}
        {onlyProposal ? (
          <Link className={SECTION_BUTTON} href={onlyProposal.href}>
            Open
          </Link>
        ) : section.requesterId !== null && view.viewer.canDecide ? (
          <Link
            className={SECTION_BUTTON}
            href={reviewHref({ ...search, requester: section.requesterId })}
            aria-describedby={headingId}
          >
            {reviewWords(section.review, view.areGatesClosed)}
          </Link>
        ) : null}
      </div>
      {routes.map((route) => (
        <Route key={route.key} route={route} section={section} view={view} onDeny={onDeny} />
      ))}
    </section>
  );
}

const ROUTE_GRID =
  "grid grid-cols-[18px_minmax(0,1fr)_128px_100px_120px_112px] items-center gap-x-6 min-h-14 py-2 max-lg:grid-cols-[18px_minmax(0,1fr)_100px_84px_96px_92px] max-lg:gap-x-3 max-sm:grid-cols-[18px_minmax(0,1fr)_auto] max-sm:gap-y-1.5 max-sm:min-h-16 max-sm:py-3";
const HOVER =
  "hover:bg-[linear-gradient(90deg,transparent,var(--color-hover)_8%_92%,transparent)] [&:focus-visible]:before:absolute [&:focus-visible]:before:inset-y-1.5 [&:focus-visible]:before:-left-4 [&:focus-visible]:before:w-1.25 [&:focus-visible]:before:bg-teal relative";

interface RouteProps extends Omit<SectionProps, "search"> {
  route: QueueRoute;
}

/** One route: opened, its proposals and one way to deny all of them. */
function Route({ route, section, view: { time, viewer }, onDeny }: RouteProps) {
  const { proposals } = route;
  const count = proposals.length;
  const leftMs = Date.parse(route.expiresAt) - Date.parse(time.nowAt);
  const wholeMs = Date.parse(route.expiresAt) - Date.parse(route.createdAt);
  return (
    <details className="group/route border-b border-rule last:border-b-0">
      <summary
        className={`${ROUTE_GRID} ${HOVER} cursor-pointer list-none [&::-webkit-details-marker]:hidden`}
      >
        <ChevronRight className="size-4.5 text-ink-3 transition-transform group-open/route:rotate-90" />
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          <Flow {...endsOf(route.subject)} state="closed" layout="wrapping" />
          {route.subject.kind === "TRANSFER" ? null : <span className={TAG}>{kindWords(route.subject)}</span>}
        </span>
        <span className="grid gap-1.5 text-[13px] font-medium max-sm:col-start-2 max-sm:row-start-2 max-sm:max-w-32">
          <span>{formatTimeLeft(leftMs)} left</span>
          <Gauge percent={percentLeft(leftMs, wholeMs)} tone="waiting" />
        </span>
        <span className="text-right whitespace-nowrap text-ink-2 max-sm:col-start-3 max-sm:row-start-2">
          {count === 1 ? "1 proposal" : `${count} proposals`}
        </span>
        <span className="text-right max-sm:col-start-3 max-sm:row-start-1">
          <Amount cents={route.sumInCents} size="xl" />
        </span>
      </summary>
      <div className="pb-4 pl-8 max-sm:pl-0">
        <ul className="border-t border-rule">
          {proposals.map((proposal) => (
            <li key={proposal.id} className="border-b border-rule">
              <ProposalLine proposal={proposal} time={time} />
            </li>
          ))}
        </ul>
        {viewer.canDecide && count > 1 ? (
          <p className="mt-2.5 -ml-3">
            <Button kind="quiet" size="small" onClick={() => onDeny(route, section)}>
              {denyRouteWords(count)}
            </Button>
          </p>
        ) : null}
      </div>
    </details>
  );
}

/** `PDF`, `Picture`, `2 documents` */
function documentsWords(types: WaitingProposalView["documentTypes"]): string {
  if (types.length > 1) return `${types.length} documents`;
  return types[0] === "application/pdf" ? "PDF" : "Picture";
}

function ProposalLine({ proposal, time }: { proposal: WaitingProposalView; time: TimeContext }) {
  const { subject } = proposal;
  return (
    <Link
      className={`${HOVER} grid grid-cols-[minmax(0,1fr)_auto_128px_120px_112px] items-center gap-x-6 min-h-11 py-1 max-lg:grid-cols-[minmax(0,1fr)_auto_84px_96px_92px] max-lg:gap-x-3 max-sm:grid-cols-[minmax(0,1fr)_auto_16px] max-sm:gap-y-0.5 max-sm:py-2.5`}
      href={proposal.href}
    >
      <span className="line-clamp-2 text-ink-2 wrap-anywhere max-sm:col-start-1 max-sm:row-start-1">
        {proposal.reason ? `“${proposal.reason}”` : "Without a reason"}
      </span>
      <span className="flex flex-wrap justify-end gap-2 max-sm:col-start-1 max-sm:row-start-3 max-sm:justify-start">
        {proposal.documentTypes.length > 0 ? (
          <span className={TAG}>
            <Paperclip className="size-3 stroke-2" aria-hidden="true" />
            {documentsWords(proposal.documentTypes)}
          </span>
        ) : null}
        {proposal.isPossibleDuplicate ? (
          <span className={TAG}>
            <Flag className="size-3 stroke-2" aria-hidden="true" />
            Possible duplicate
          </span>
        ) : null}
      </span>
      <span className="text-right text-[13px] text-ink-2 max-sm:col-start-1 max-sm:row-start-2 max-sm:text-left">
        {formatTimeLeft(Date.parse(proposal.expiresAt) - Date.parse(time.nowAt))}
        <span className="sr-only"> left</span>
      </span>
      <span className="text-right max-sm:col-start-2 max-sm:row-start-1">
        {subject.amountInCents === null ? (
          <span className="text-ink-3">Can’t run now</span>
        ) : (
          <Amount cents={subject.amountInCents} />
        )}
      </span>
      <ChevronRight className="size-4 justify-self-end text-ink-3 max-sm:col-start-3 max-sm:row-start-1" />
    </Link>
  );
}
