"use client";

import { Play } from "lucide-react";
import { RunCrumb, RunStatus } from "@/app/rules/[id]/_components/run-status";
import { RunsChart } from "@/app/rules/[id]/_components/runs-chart";
import { LinkedTable } from "@/components/layout/linked-table";
import { PageActions, PageHead } from "@/components/layout/page-head";
import { PagerLink, PagerRow } from "@/components/layout/pager-link";
import { Amount } from "@/components/money/amount";
import { Moment } from "@/components/time/moment";
import { buttonClass } from "@/components/ui/button";
import { chipClass } from "@/components/ui/chip-class";
import { SEGMENTED } from "@/components/ui/choice-class";
import { Empty } from "@/components/ui/empty";
import { linkRowClass } from "@/components/ui/ledger";
import { Link } from "@/components/ui/link";
import { SUBLINE } from "@/components/ui/text-styles";
import { formatCents } from "@/lib/contract/format-cents";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import type { RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { RunDaysView } from "@/lib/views/rules/read-run-days";
import type { RunRowView, RunsView } from "@/lib/views/rules/read-runs";

const STATUSES: { status: RuleExecutionStatus | "ALL"; label: string }[] = [
  { status: "ALL", label: "Any status" },
  { status: "EXECUTED", label: "Settled" },
  { status: "PARTIAL", label: "Partly settled" },
  { status: "FAILED", label: "Failed" },
  { status: "IN_PROGRESS", label: "On its way" },
  { status: "APPROVAL_PENDING", label: "Waiting" },
  { status: "APPROVAL_DENIED", label: "Denied or expired" },
];

interface RunsListProps {
  view: RunsView;
  days: RunDaysView;
  runNowHref: string | null;
}

/** The runs of one rule, newest first; filters and page are in the URL. */
export function RunsList({ view, days, runNowHref }: RunsListProps) {
  return (
    <>
      <RunCrumb rule={view.rule} here="Runs" />
      <PageHead
        title={view.hasRuns ? `Runs of ${view.rule.name}` : `No runs of ${view.rule.name} yet`}
        lede="Every run records its facts and how each amount was calculated."
        actions={
          runNowHref ? (
            <PageActions>
              <Link className={buttonClass({ kind: "outlined" })} href={runNowHref}>
                <Play />
                Run now
              </Link>
            </PageActions>
          ) : null
        }
      />
      <RunsChart runs={days} time={view.time} />
      {view.hasRuns ? <Filters view={view} /> : null}
      {view.rows.length > 0 ? (
        <RunsLedger rows={view.rows} viewer={view.viewer} time={view.time} />
      ) : (
        <Empty title="No runs">{emptyWords(view)}</Empty>
      )}
      <Pager view={view} />
    </>
  );
}

function emptyWords({ hasRuns, look }: RunsView): string {
  if (!hasRuns) return "Runs appear here when the rule is triggered or tried with a dry run.";
  return look.page > 1 ? "There are no older runs." : "No runs match. Clear the filters.";
}

function Filters({ view: { look, hrefs, statusHrefs } }: { view: RunsView }) {
  const modes = [
    { label: "All runs", href: hrefs.all, isCurrent: look.mode === null },
    { label: "Live", href: hrefs.live, isCurrent: look.mode === "LIVE" },
    { label: "Dry runs", href: hrefs.dry, isCurrent: look.mode === "SIMULATION" },
  ];
  return (
    <nav className="flex flex-wrap items-center print:hidden gap-y-3 gap-x-5 mb-4" aria-label="Filter runs">
      <span className={SEGMENTED}>
        {modes.map(({ label, href, isCurrent }) => (
          <Link key={label} href={href} scroll={false} aria-current={isCurrent ? "true" : undefined}>
            {label}
          </Link>
        ))}
      </span>
      <span className="flex flex-wrap gap-2">
        {STATUSES.map(({ status, label }) => {
          const isCurrent = (look.status ?? "ALL") === status;
          return (
            <Link
              key={status}
              className={chipClass({ on: isCurrent })}
              href={statusHrefs[status]}
              scroll={false}
              aria-current={isCurrent ? "true" : undefined}
            >
              {label}
            </Link>
          );
        })}
      </span>
    </nav>
  );
}

export function RunsLedger({ rows, viewer, time }: Pick<RunsView, "rows" | "viewer" | "time">) {
  return (
    <LinkedTable
      className="[&_th[scope='row']]:whitespace-nowrap max-sm:[&_th[scope='row']]:whitespace-normal"
      caption="Runs, newest first"
      rows={rows}
      link={({ href }) => href}
      frame={({ mode }, cells) => (
        <tr className={`${linkRowClass()} ${mode === "SIMULATION" ? "[&>*]:text-ink-2" : ""}`}>{cells}</tr>
      )}
      columns={[
        { head: "When", header: true, cell: ({ at }) => <Moment at={at} time={time} /> },
        {
          head: "Triggered by",
          cell: (run) => (
            <>
              {starterWords(run)}
              <span className={SUBLINE}>{whatWords(run)}</span>
            </>
          ),
        },
        { head: "Version", phone: "HIDDEN", className: "text-ink-2", cell: ({ version }) => version },
        {
          head: "Status",
          phone: "BELOW",
          belowClass:
            "mt-1 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-y-1 max-sm:gap-x-4 max-sm:[&_a]:inline-flex max-sm:[&_a]:items-center max-sm:[&_a]:min-h-11",
          cell: (run) => (
            <RunStatus
              status={run.status}
              mode={run.mode}
              movedNothing={run.movedCount === 0}
              isWaitingToRetry={run.nextAttemptAt !== null}
              endedBy={run.endedBy}
              canDecide={viewer.canDecide}
            />
          ),
        },
        {
          head: "Moved",
          kind: "MONEY",
          cell: (run) => (run.movedCount > 0 && run.mode === "LIVE" ? run.movedInCents : <Moved run={run} />),
        },
      ]}
    />
  );
}

/** For dry runs, the amount that would move. */
function Moved({ run }: { run: RunRowView }) {
  if (run.mode === "SIMULATION" && run.movedCount > 0) {
    return (
      <span className="text-ink-2">
        <span className="sr-only">would move </span>
        <Amount cents={run.movedInCents} quiet />
      </span>
    );
  }
  return (
    <span className="text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">nothing</span>
    </span>
  );
}

function starterWords({ startedBy, startedByName }: RunRowView): string {
  switch (startedBy) {
    case "ARRIVAL":
      return "Deposit";
    case "SCHEDULE":
      return "Schedule";
    case "API_KEY":
      return startedByName ?? "An API key";
    case "ASSISTANT":
      return startedByName === null ? "An assistant" : `${startedByName}, an assistant`;
    case "MEMBER":
      return startedByName ?? "A member";
    case "HOOK":
      return startedByName ?? "Webhook";
    case "UNKNOWN":
      return "Unknown";
  }
}

/** Why a run's transfers were skipped, in the past tense: `Payroll was already full`. */
function skippedBecause({ reason, sourceName, destinationName }: NonNullable<RunRowView["skipped"]>): string {
  switch (reason) {
    case "FULL":
      return `${destinationName} was already full`;
    case "NOTHING_DUE":
      return `nothing was due on ${destinationName}`;
    case "NOTHING_THERE":
      return `${sourceName} had nothing to move`;
    case "LIMIT_USED_UP":
      return "its limit was used up";
    case "TOO_SMALL":
      return `the amount was below ${formatCents(MINIMUM_TRANSFER_IN_CENTS)}`;
    case "NOTHING_ASKED":
      return "the amount was zero";
  }
}

function whatWords(run: RunRowView): string {
  if (run.conditionsNotMet) return "Its conditions were not met";
  if (run.skipped) return `Nothing to move: ${skippedBecause(run.skipped)}`;
  if (run.transfersAttempted === 0) return run.status === "EXECUTED" ? "Nothing to move" : "Nothing moved";
  const of = run.transfersAttempted === 1 ? "1 transfer" : `${run.transfersAttempted} transfers`;
  return run.mode === "SIMULATION"
    ? `Would make ${run.movedCount} of ${of}`
    : `Made ${run.movedCount} of ${of}`;
}

function Pager({ view: { look, previousHref, nextHref } }: { view: RunsView }) {
  if (!previousHref && !nextHref) return null;
  return (
    <PagerRow>
      <span>Page {look.page}</span>
      <span className="flex gap-2">
        <PagerLink href={previousHref}>Newer</PagerLink>
        <PagerLink href={nextHref}>Older</PagerLink>
      </span>
    </PagerRow>
  );
}
