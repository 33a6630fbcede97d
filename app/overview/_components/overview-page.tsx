"use client";

import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { MoneyMap } from "@/app/overview/_components/money-map";
import { Total } from "@/app/overview/_components/total";
import { COLUMNS } from "@/components/layout/columns";
import { SECTION_HEAD } from "@/components/layout/section";
import { Table } from "@/components/layout/table";
import { Amount } from "@/components/money/amount";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { endsOf, RequesterName } from "@/components/parts/approvals/proposal-words";
import {
  ProposedRules,
  proposedRulesTitle,
  WaitingChanges,
  WaitingMandates,
  waitingChangesTitle,
  waitingMandatesTitle,
} from "@/components/parts/approvals/proposed-rules";
import { Flow, sluiceState } from "@/components/sluice/row-sluice";
import {
  formatClock,
  formatShortDay,
  formatUtcStamp,
  inZone,
  isToday,
} from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { formatTimeLeft } from "@/components/time/time-left";
import { buttonClass } from "@/components/ui/button";
import { Count } from "@/components/ui/count";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { LINK, SECTION_TITLE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import { FRAUD_MONITORING_HREF } from "@/lib/contract/hrefs";
import type { TimeContext } from "@/lib/contract/time-context";
import type { NextRuleView } from "@/lib/views/overview/list-next-rules";
import type { RecentMovementView } from "@/lib/views/overview/list-recent-movements";
import type { OverviewView, WaitingView } from "@/lib/views/overview/read-overview";

/** The start page: balances, open proposals, the money map, recent movements, next rules. */
export function OverviewPage({ view, firstSteps }: { view: OverviewView; firstSteps: ReactNode }) {
  const hasFlows = view.map.nodes.length > 0;
  return (
    <div>
      <h1 className="sr-only">Overview</h1>
      {firstSteps}
      <div className={`${COLUMNS} items-start`}>
        <Total total={view.total} time={view.time} />
        <WaitingForYou view={view} />
      </div>
      {hasFlows || !firstSteps ? (
        <MoneyMap map={view.map} canDecide={view.viewer.canDecide} time={view.time} />
      ) : null}
      <div className={`${COLUMNS} mt-14`}>
        <RecentMovements view={view} />
        <NextRules rules={view.rules} time={view.time} />
      </div>
    </div>
  );
}

/** The rules that run next, with a forecast from current balances. */
function NextRules({ rules, time }: { rules: NextRuleView[]; time: TimeContext }) {
  return (
    <section aria-labelledby="next">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="next">
          Upcoming rule runs
        </h2>
        <Link className={LINK} href="/rules">
          All rules
        </Link>
      </div>
      {rules.length === 0 ? (
        <Empty title="No upcoming runs">
          Rules move money automatically, on a schedule or with each deposit, within limits that you set.{" "}
          <Link className={LINK} href="/rules/new">
            Start from a template
          </Link>
        </Empty>
      ) : (
        <ol className="[&>li]:grid [&>li]:grid-cols-[64px_minmax(0,1fr)] [&>li]:gap-4 [&>li]:py-3.25 [&>li]:border-rule [&>li]:wrap-anywhere [&>li:not(:last-child)]:border-b">
          {rules.map((rule) => (
            <li key={rule.id}>
              <p className="text-sm text-ink-3 [&_b]:block [&_b]:text-ink">
                <When rule={rule} time={time} />
              </p>
              <div>
                <Link className="hover:underline" href={rule.href}>
                  <b>{rule.name}</b>
                </Link>
                <p className="text-sm text-ink-3">{forecastWords(rule)}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function When({ rule: { at, timeZone }, time }: { rule: NextRuleView; time: TimeContext }) {
  if (at === null) {
    return (
      <>
        Next <b>deposit</b>
      </>
    );
  }
  const there = inZone(time, timeZone);
  return (
    <time dateTime={at} title={formatUtcStamp(at)}>
      {isToday(at, there) ? "Today" : formatShortDay(at, there)} <b>{formatClock(at, there)}</b>
    </time>
  );
}

/** `$620.00 from Operating to Owner’s pay` */
function forecastWords({ forecast, hasNewVersion }: NextRuleView): string {
  if (hasNewVersion && forecast.kind === "LINE") return "New version needs activation";
  switch (forecast.kind) {
    case "NOTHING":
      return "Nothing to move right now";
    case "LINE":
      return forecast.line ?? "Open to see what it does";
    case "MOVES":
      return `${formatCents(forecast.amountInCents)} from ${forecast.fromName} to ${forecast.toName ?? `${forecast.toCount} accounts`}`;
  }
}

/** The proposals that expire soonest. */
function WaitingForYou({ view }: { view: OverviewView }) {
  const { waiting, waitingCount, proposedRules, mandates, changes, viewer, time } = view;
  const [next] = waiting;
  return (
    <section aria-labelledby="waiting">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="waiting">
          {viewer.canDecide ? "Needs your decision" : "Waiting for approval"}
        </h2>
        <Link className={LINK} href="/approvals">
          {waitingCount > waiting.length ? `All ${waitingCount} approvals` : "All approvals"}
        </Link>
      </div>
      {next ? (
        <>
          <ul className="[&_li+li]:border-t [&_li+li]:border-rule [&_a]:grid [&_a]:grid-cols-[minmax(0,1fr)_auto] [&_a]:gap-y-1 [&_a]:gap-x-3 [&_a]:py-4 [&_a]:px-0 max-sm:[&_a]:min-h-11">
            {waiting.map((proposal) => (
              <WaitingRow key={proposal.id} proposal={proposal} time={time} />
            ))}
          </ul>
          <a
            className={`${buttonClass({ kind: viewer.canDecide ? "primary" : "outlined", wide: true })} min-h-11 mt-2`}
            href={next.href}
          >
            {viewer.canDecide ? "Review next" : "View next"}
            <ArrowRight aria-hidden="true" />
          </a>
        </>
      ) : (
        <Empty title={viewer.canDecide ? "No proposals need your decision" : "No open proposals"}>
          Transfers that need approval appear here before any money moves.
        </Empty>
      )}
      {mandates.count > 0 ? (
        <div className="mt-8">
          <h3 className="text-base font-semibold">
            {waitingMandatesTitle(viewer.canDecide)} <Count count={mandates.count} place="text" />
          </h3>
          <WaitingMandates mandates={mandates} time={time} />
        </div>
      ) : null}
      {changes.count > 0 ? (
        <div className="mt-8">
          <h3 className="text-base font-semibold">
            {waitingChangesTitle(viewer.canDecide)} <Count count={changes.count} place="text" />
          </h3>
          <WaitingChanges changes={changes} time={time} />
        </div>
      ) : null}
      {proposedRules.count > 0 ? (
        <div className="mt-8">
          <h3 className="text-base font-semibold">
            {proposedRulesTitle(viewer.canDecide)} <Count count={proposedRules.count} place="text" />
          </h3>
          <ProposedRules rules={proposedRules} time={time} />
        </div>
      ) : null}
      {view.isReviewDue ? <ReviewDue canSign={viewer.canSign} /> : null}
    </section>
  );
}

/** While the yearly review of fraud monitoring is due. */
function ReviewDue({ canSign }: { canSign: boolean }) {
  return (
    <div className="mt-8">
      <h3 className="text-base font-semibold">Yearly review of fraud monitoring</h3>
      <p className="mt-1 text-ink-2">
        It is due.{" "}
        <Link className={LINK} href={FRAUD_MONITORING_HREF}>
          {canSign ? "Read and sign it" : "Read the process"}
        </Link>
      </p>
    </div>
  );
}

function WaitingRow({ proposal, time }: { proposal: WaitingView; time: TimeContext }) {
  const leftMs = Date.parse(proposal.expiresAt) - Date.parse(time.nowAt);
  return (
    <li>
      {/* A plain link: `/` is two pages (next.config.mjs), which client navigation cannot tell apart. */}
      <a className="group/row" href={proposal.href}>
        <span className="min-w-0 font-semibold wrap-anywhere group-hover/row:text-teal">
          <Flow {...endsOf(proposal.subject)} state="closed" layout="wrapping" />
        </span>
        <span className="text-right">
          {proposal.subject.amountInCents === null ? (
            <span className="text-ink-3">Can’t run now</span>
          ) : (
            <Amount cents={proposal.subject.amountInCents} />
          )}
        </span>
        <span className="text-sm text-ink-3">
          <RequesterName kind={proposal.requesterKind} name={proposal.requesterName} />
        </span>
        <span className="text-[13px] font-medium text-right text-amber">{formatTimeLeft(leftMs)} left</span>
      </a>
    </li>
  );
}

function RecentMovements({ view: { movements, viewer, time } }: { view: OverviewView }) {
  return (
    <section aria-labelledby="recent">
      <div className={SECTION_HEAD}>
        <h2 className={SECTION_TITLE} id="recent">
          Recent movements
        </h2>
        <Link className={LINK} href="/transfers">
          All movements
        </Link>
      </div>
      {movements.length === 0 ? (
        <Empty title="No movements yet">Deposits, transfers and card purchases will appear here.</Empty>
      ) : (
        <Table
          caption="Recent movements"
          areHeadsHidden
          rows={movements}
          columns={[
            {
              head: "When",
              kind: "MOMENT",
              className: "text-sm text-ink-3 w-18 max-sm:w-15",
              cell: ({ at }) => <Moment at={at} time={time} format={formatWhen} />,
            },
            {
              head: "Movement",
              takesBelow: "AFTER",
              cell: (movement) => <MovementFlow movement={movement} />,
            },
            {
              head: "Status",
              phone: "BELOW",
              belowClass: "max-sm:mt-1",
              cell: ({ status }) => <ApprovalStatusChip status={status} canDecide={viewer.canDecide} />,
              below: ({ status }) =>
                status === "SETTLED" ? null : (
                  <ApprovalStatusChip status={status} canDecide={viewer.canDecide} />
                ),
            },
            {
              head: "Amount",
              kind: "MONEY",
              cell: ({ amountInCents, isIn, status }) => (
                <Amount
                  cents={amountInCents}
                  isIn={isIn && status === "SETTLED"}
                  {...(isIn && { plus: "whenPositive" as const })}
                />
              ),
            },
          ]}
        />
      )}
    </section>
  );
}

function MovementFlow({ movement: { href, fromName, toName, status } }: { movement: RecentMovementView }) {
  const flow = <Flow from={fromName} to={toName} state={sluiceState(status)} layout="column" />;
  if (!href) return flow;
  return (
    <Link className="hover:underline" href={href}>
      {flow}
    </Link>
  );
}

/** The time for today, otherwise the day. */
function formatWhen(at: string, time: TimeContext): string {
  return isToday(at, time) ? formatClock(at, time) : formatShortDay(at, time);
}
